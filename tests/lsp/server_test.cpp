// SPDX-License-Identifier: MIT
#include "lsp/server.h"

#include <gmock/gmock.h>

#include "lsp/document.h"
#include "lsp/session.h"

namespace hipwright::lsp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Protocol : public Session {};

TEST_F(Protocol, ReportsItsCapabilities) {
  start();
  const Value& able = started_["capabilities"];
  EXPECT_EQ(able["positionEncoding"], "utf-16");
  EXPECT_EQ(able["textDocumentSync"]["change"], 2);
  EXPECT_EQ(able["hoverProvider"], true);
  EXPECT_FALSE(able.contains("diagnosticProvider")) << "this client is pushed to";
  EXPECT_EQ(started_["serverInfo"]["name"], "hipwright");
}

TEST_F(Protocol, TheEncodingIsNegotiated) {
  Value capabilities = able();
  capabilities["general"] = {{"positionEncodings", {"utf-16", "utf-8"}}};
  start(capabilities);
  EXPECT_EQ(started_["capabilities"]["positionEncoding"], "utf-8");
  open("__device__ bool f() { /* ä */ return __any_sync(0xffffffff, 1); }\n");
  const Value published = last("textDocument/publishDiagnostics");
  ASSERT_EQ(codes().size(), 1U);
  EXPECT_EQ(published["diagnostics"][0]["range"]["start"]["character"], 49);
}

TEST_F(Protocol, InitializeComesFirstAndOnce) {
  EXPECT_EQ(error("textDocument/hover"), -32002);
  notify("textDocument/didOpen");
  EXPECT_TRUE(last("window/logMessage").is_null()) << "dropped";
  EXPECT_EQ(error("initialize", Value::array()), -32602);
  start();
  EXPECT_EQ(error("initialize"), -32600);
}

TEST_F(Protocol, ExitAfterShutdownIsFine) {
  start();
  EXPECT_TRUE(result("shutdown").is_null());
  EXPECT_EQ(error("textDocument/hover"), -32600);
  notify("exit");
  EXPECT_EQ(server_.exit_code(), 0);
}

TEST_F(Protocol, ExitWithoutShutdownIsNot) {
  notify("exit");
  EXPECT_EQ(server_.exit_code(), 1);
}

TEST_F(Protocol, BrokenMessagesAreAnsweredWithErrors) {
  start();
  const auto code = [&](const char* text) {
    send(Value::parse(text));
    return sent_.back()["error"]["code"].get<int>();
  };
  EXPECT_EQ(code("[]"), -32600);
  EXPECT_EQ(code("1"), -32600);
  EXPECT_EQ(code(R"({"id": 1, "method": "shutdown"})"), -32600);
  EXPECT_EQ(code(R"({"jsonrpc": "1.0", "id": 7, "method": "shutdown"})"), -32600);
  EXPECT_EQ(sent_.back()["id"], 7);
  EXPECT_EQ(code(R"({"jsonrpc": "2.0", "id": {}, "method": "shutdown"})"), -32600);
  EXPECT_TRUE(sent_.back()["id"].is_null());
  EXPECT_EQ(code(R"({"jsonrpc": "2.0", "id": 1})"), -32600);
  EXPECT_EQ(code(R"({"jsonrpc": "2.0", "id": 1, "method": 5})"), -32600);
  EXPECT_EQ(code(R"({"jsonrpc": "2.0", "id": 1, "method": "textDocument/rename"})"), -32601);
  EXPECT_EQ(code(R"({"jsonrpc": "2.0", "id": "x", "method": "textDocument/hover"})"), -32602);
  EXPECT_EQ(sent_.back()["id"], "x");
  server_.handle_broken({ErrorCode::kParseError, "no JSON"});
  EXPECT_EQ(sent_.back()["error"]["code"], -32700);
  server_.handle_cancelled(5);
  EXPECT_EQ(sent_.back()["error"]["code"], -32800);
  EXPECT_EQ(sent_.back()["id"], 5);
}

TEST_F(Protocol, InvalidNotificationsAreLogged) {
  start();
  for (const char* method :
       {"textDocument/didOpen", "textDocument/didChange", "textDocument/didClose",
        "textDocument/didSave", "workspace/didChangeWatchedFiles"}) {
    notify(method, {{"textDocument", 5}});
    EXPECT_THAT(last("window/logMessage")["message"].get<std::string>(), HasSubstr(method));
  }
  const std::size_t before = sent_.size();
  notify("$/somethingNew");
  notify("workspace/somethingElse");
  EXPECT_EQ(sent_.size(), before) << "unknown ones are ignored";
}

class Sync : public Session {};

TEST(Place, CountsFromZero) {
  const auto is_place = [](int line, int character) {
    const Value value = {{"line", line}, {"character", character}};
    return place_of(&value).has_value();
  };
  EXPECT_TRUE(is_place(0, 0));
  EXPECT_FALSE(is_place(-1, 0));
  EXPECT_FALSE(is_place(0, -1));
  EXPECT_FALSE(place_of(nullptr));
}

TEST_F(Sync, OpenDocumentsAreLinted) {
  start();
  open(kBad);
  const Value published = last("textDocument/publishDiagnostics");
  EXPECT_EQ(published["uri"], kUri);
  EXPECT_EQ(published["version"], 1);
  ASSERT_THAT(codes(), ElementsAre("HW101"));
  const Value& one = published["diagnostics"][0];
  EXPECT_EQ(one["severity"], 1);
  EXPECT_EQ(one["source"], "hipwright");
  EXPECT_EQ(one["range"], range(0, 8, 17));
  EXPECT_FALSE(one.contains("codeDescription")) << "there is no page to point at";
}

TEST_F(Sync, ChangesAreFullOrIncremental) {
  start();
  open(kBad);
  change(Value::array({{{"text", "int x;\n"}}}));
  EXPECT_THAT(codes(), ElementsAre());
  EXPECT_EQ(last("textDocument/publishDiagnostics")["version"], 2);
  change(Value::array({{{"text", kBad}}}));
  change(Value::array({{{"range", range(0, 18, 20)}, {"text", "64"}}}));
  EXPECT_THAT(codes(), ElementsAre("HW102"));
  // Each change speaks of the text after the one before it; positions are UTF-16.
  change(Value::array({{{"range", range(0, 0, 0)}, {"text", "// 😀\n"}},
                       {{"range", range(0, 5, 5)}, {"text", "!"}},
                       {{"range", range(1, 18, 20)}, {"text", "32"}}}));
  ASSERT_THAT(codes(), ElementsAre("HW101"));
  EXPECT_EQ(last("textDocument/publishDiagnostics")["diagnostics"][0]["range"], range(1, 8, 17));
}

TEST_F(Sync, AnInvalidChangeIsIgnored) {
  start();
  open(kBad);
  change(Value::array(
      {{{"text", ""}}, {{"range", {{"start", at(1, 0)}, {"end", at(0, 0)}}}, {"text", "x"}}}));
  EXPECT_THAT(last("window/logMessage")["message"].get<std::string>(), HasSubstr("range"));
  EXPECT_EQ(actions(range(0, 8, 8)).size(), 2U) << "the text is the old one";
}

TEST_F(Sync, ManyChangesAreLintedOnce) {
  start();
  open(kBad);
  const std::size_t before = count("textDocument/publishDiagnostics");
  for (int i = 0; i < 10; ++i)
    send({{"jsonrpc", "2.0"},
          {"method", "textDocument/didChange"},
          {"params",
           {{"textDocument", {{"uri", kUri}, {"version", i}}},
            {"contentChanges", Value::array({{{"range", range(0, 0, 0)}, {"text", "\n"}}})}}}});
  server_.settle();
  EXPECT_EQ(count("textDocument/publishDiagnostics"), before + 1);
}

TEST_F(Sync, ClosedDocumentsHaveNoFindings) {
  start();
  open(kBad);
  notify("textDocument/didClose", {{"textDocument", of()}});
  EXPECT_THAT(codes(), ElementsAre());
  EXPECT_EQ(error("textDocument/hover", {{"textDocument", of()}, {"position", at(0, 0)}}), -32602);
}

TEST_F(Sync, TheLanguageIdDecidesForUntitledDocuments) {
  start();
  const std::string python = "import pynvml\n";
  open(python, "untitled:p", "python");
  EXPECT_THAT(codes(), ElementsAre("HW711"));
  open(python, "untitled:t", "markdown");
  EXPECT_THAT(codes(), ElementsAre());
}

TEST_F(Sync, BinaryDocumentsAreNotRead) {
  start();
  open(std::string("x\0", 2) + kBad);
  EXPECT_THAT(codes(), ElementsAre());
  EXPECT_THAT(last("window/logMessage")["message"].get<std::string>(), HasSubstr("binary"));
}

TEST_F(Sync, ClientsThatPullAreNotPushedTo) {
  Value capabilities = able();
  capabilities["textDocument"]["diagnostic"] = Value::object();
  start(capabilities);
  EXPECT_TRUE(started_["capabilities"].contains("diagnosticProvider"));
  open(kBad);
  EXPECT_EQ(count("textDocument/publishDiagnostics"), 0U);
  const Value first = result("textDocument/diagnostic", {{"textDocument", of()}});
  EXPECT_EQ(first["kind"], "full");
  ASSERT_EQ(first["items"].size(), 1U);
  EXPECT_EQ(first["items"][0]["code"], "HW101");
  const Value again = result("textDocument/diagnostic",
                             {{"textDocument", of()}, {"previousResultId", first["resultId"]}});
  EXPECT_EQ(again["kind"], "unchanged");
  change(Value::array({{{"text", "int x;\n"}}}));
  const Value changed = result("textDocument/diagnostic",
                               {{"textDocument", of()}, {"previousResultId", first["resultId"]}});
  EXPECT_EQ(changed["kind"], "full");
  EXPECT_EQ(changed["items"].size(), 0U);
}

}  // namespace
}  // namespace hipwright::lsp
