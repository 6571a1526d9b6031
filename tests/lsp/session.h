// SPDX-License-Identifier: MIT
// An editor that speaks to a server in the same process.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "lsp/server.h"
#include "lsp/uri.h"

namespace hipwright::lsp {

class Session : public testing::Test {
 protected:
  // HW101 finds its first line.
  static constexpr const char* kBad =
      "#define WARP_SIZE 32\n__device__ bool f(int n) { return __any(n < WARP_SIZE); }\n";
  static constexpr const char* kUri = "untitled:a";

  static Value able() {
    return Value::parse(R"({"textDocument": {
      "codeAction": {"codeActionLiteralSupport": {}, "isPreferredSupport": true},
      "hover": {"contentFormat": ["markdown", "plaintext"]},
      "publishDiagnostics": {"tagSupport": {"valueSet": [1, 2]}, "codeDescriptionSupport": true}}})");
  }

  void send(const Value& message) { server_.handle(message); }
  void notify(const char* method, Value params = Value::object()) {
    send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
    server_.settle();
  }
  // The answer, "result" or "error" and all.
  Value request(const char* method, Value params = Value::object()) {
    const std::size_t before = sent_.size();
    send({{"jsonrpc", "2.0"}, {"id", ++count_}, {"method", method}, {"params", std::move(params)}});
    for (std::size_t i = before; i < sent_.size(); ++i)
      if (sent_[i].value("id", Value()) == count_ && !sent_[i].contains("method")) return sent_[i];
    ADD_FAILURE() << method << " was not answered";
    return {};
  }
  Value result(const char* method, Value params = Value::object()) {
    Value answer = request(method, std::move(params));
    EXPECT_TRUE(answer.contains("result")) << answer;
    return answer.value("result", Value());
  }
  int error(const char* method, Value params = Value::object()) {
    const Value answer = request(method, std::move(params));
    return answer.contains("error") ? answer["error"]["code"].get<int>() : 0;
  }

  void start(Value capabilities = able(), Value more = Value::object()) {
    more["capabilities"] = std::move(capabilities);
    started_ = result("initialize", std::move(more));
    notify("initialized");
  }
  void open(const std::string& text, const std::string& uri = kUri, const char* language = "cuda") {
    notify("textDocument/didOpen",
           {{"textDocument",
             {{"uri", uri}, {"languageId", language}, {"version", 1}, {"text", text}}}});
  }
  void change(Value changes, const std::string& uri = kUri) {
    notify("textDocument/didChange",
           {{"textDocument", {{"uri", uri}, {"version", 2}}}, {"contentChanges", changes}});
  }
  static Value at(int line, int character) { return {{"line", line}, {"character", character}}; }
  static Value range(int line, int from, int to) {
    return {{"start", at(line, from)}, {"end", at(line, to)}};
  }
  static Value of(const std::string& uri = kUri) { return {{"uri", uri}}; }
  Value actions(Value where, Value context = {{"diagnostics", Value::array()}},
                const std::string& uri = kUri) {
    return result("textDocument/codeAction",
                  {{"textDocument", of(uri)}, {"range", std::move(where)}, {"context", context}});
  }

  // The last message of a kind; null: there was none.
  Value last(const char* method) const {
    for (auto each = sent_.rbegin(); each != sent_.rend(); ++each)
      if (each->value("method", "") == method) return each->value("params", Value());
    return {};
  }
  std::size_t count(const char* method) const {
    return static_cast<std::size_t>(
        std::count_if(sent_.begin(), sent_.end(),
                      [&](const Value& each) { return each.value("method", "") == method; }));
  }
  std::vector<std::string> codes() const {
    std::vector<std::string> list;
    const Value published = last("textDocument/publishDiagnostics");
    if (published.is_object())
      for (const Value& each : published["diagnostics"]) list.push_back(each["code"]);
    return list;
  }

  ServerOptions options_;
  std::vector<Value> sent_;
  Server server_{options_, [this](const Value& message) { sent_.push_back(message); }};
  Value started_;
  int count_ = 0;
};

}  // namespace hipwright::lsp
