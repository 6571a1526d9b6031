// SPDX-License-Identifier: MIT
// Answers from the findings in the texts.
#include <fmt/format.h>

#include "lsp/server.h"

namespace hipwright::lsp {

RpcResult<Server::Open*> Server::opened(const Value& params) {
  const std::string* const uri = string_at(params, {"textDocument", "uri"});
  if (uri == nullptr) return refuse(ErrorCode::kInvalidParams, "textDocument has no uri");
  const auto found = documents_.find(*uri);
  if (found == documents_.end())
    return refuse(ErrorCode::kInvalidParams, fmt::format("{} is not open", *uri));
  return &found->second;
}

const lint::FileResult& Server::result_of(Open& open) {
  if (open.result) return *open.result;
  const Document& document = open.document;
  auto result = workspace_.check(document.path, document.name, document.text());
  open.generation = ++generation_;
  if (!result) {
    const std::string message = result.error().message();
    if (message != std::exchange(shown_error_, message))
      send_message("window/showMessage", MessageType::kError, message);
    return open.result.emplace();
  }
  return open.result.emplace(*std::move(result));
}

void Server::publish(Open& open) {
  const lint::FileResult& result = result_of(open);
  Value params = {
      {"uri", open.document.uri},
      {"diagnostics", diagnostics(client_, open.document, result.findings, options_.pages)}};
  if (open.document.version) params["version"] = *open.document.version;
  notify("textDocument/publishDiagnostics", std::move(params));
}

void Server::settle() {
  if (state_ != State::kInitialized || client_.pulls_diagnostics) return;
  for (auto& [uri, open] : documents_)
    if (!open.result) publish(open);
  log_notes();
}

RpcResult<Value> Server::pull_diagnostics(const Value& params) {
  auto open = opened(params);
  if (!open) return std::unexpected(std::move(open).error());
  const lint::FileResult& result = result_of(**open);
  const std::string id = std::to_string((*open)->generation);
  const std::string* const previous = string_at(params, {"previousResultId"});
  if (previous != nullptr && *previous == id) return Value{{"kind", "unchanged"}, {"resultId", id}};
  return Value{{"kind", "full"},
               {"resultId", id},
               {"items", diagnostics(client_, (*open)->document, result.findings, options_.pages)}};
}

RpcResult<Value> Server::code_action(const Value& params) {
  auto open = opened(params);
  if (!open) return std::unexpected(std::move(open).error());
  auto range = range_of(member(params, {"range"}));
  if (!range) return std::unexpected(std::move(range).error());
  const Document& document = (*open)->document;
  ActionRequest request{.range = document.lines.span(*range)};
  if (const Value* only = member(params, {"context", "only"}); only != nullptr && only->is_array())
    for (const Value& kind : *only)
      if (kind.is_string()) request.only.push_back(kind.get<std::string>());
  request.check = [&](std::string_view text) {
    return workspace_.check(document.path, document.name, text);
  };
  return code_actions(client_, document, result_of(**open).findings, request);
}

RpcResult<Value> Server::hover_at(const Value& params) {
  auto open = opened(params);
  if (!open) return std::unexpected(std::move(open).error());
  auto place = place_of(member(params, {"position"}));
  if (!place) return std::unexpected(std::move(place).error());
  const Document& document = (*open)->document;
  return hover(client_, document, result_of(**open).findings, document.lines.offset(*place));
}

}  // namespace hipwright::lsp
