// SPDX-License-Identifier: MIT
// Messages: which are requests, which are answered how, and when.
#include "lsp/server.h"

#include <fmt/format.h>

namespace hipwright::lsp {

namespace {

bool is_id(const Value& value) {
  return value.is_number_integer() || value.is_string();
}

}  // namespace

Server::Server(ServerOptions options, Send send)
    : options_(std::move(options)), send_(std::move(send)), workspace_(options_.has_files) {}

const std::map<std::string, Server::Handler, std::less<>>& Server::requests() {
  static const std::map<std::string, Handler, std::less<>> table = {
      {"initialize", &Server::initialize},
      {"shutdown", &Server::shutdown},
      {"textDocument/codeAction", &Server::code_action},
      {"textDocument/diagnostic", &Server::pull_diagnostics},
      {"textDocument/hover", &Server::hover_at},
  };
  return table;
}

const std::map<std::string, Server::Handler, std::less<>>& Server::notifications() {
  static const std::map<std::string, Handler, std::less<>> table = {
      {"initialized", &Server::initialized},
      {"textDocument/didOpen", &Server::did_open},
      {"textDocument/didChange", &Server::did_change},
      {"textDocument/didSave", &Server::did_save},
      {"textDocument/didClose", &Server::did_close},
      {"workspace/didChangeConfiguration", &Server::did_change_configuration},
      {"workspace/didChangeWatchedFiles", &Server::did_change_files},
      {"workspace/didChangeWorkspaceFolders", &Server::did_change_folders},
  };
  return table;
}

void Server::handle(const Value& message) {
  const Value nothing;
  const Value* const version = member(message, {"jsonrpc"});
  const Value* const given = member(message, {"id"});
  const Value& id = given != nullptr && is_id(*given) ? *given : nothing;
  if (version == nullptr || *version != "2.0")
    return refuse_request(id, {ErrorCode::kInvalidRequest, "not a JSON-RPC 2.0 message"});
  if (given != nullptr && id.is_null())
    return refuse_request(id, {ErrorCode::kInvalidRequest, "the id must be a number or a string"});
  const std::string* const method = string_at(message, {"method"});
  if (method == nullptr) {
    if (!id.is_null() && (message.contains("result") || message.contains("error")))
      return response(message);
    return refuse_request(id, {ErrorCode::kInvalidRequest, "the message has no method"});
  }
  const Value* const params = member(message, {"params"});
  if (id.is_null())
    notification(*method, params == nullptr ? nothing : *params);
  else
    request(id, *method, params == nullptr ? nothing : *params);
  log_notes();
}

void Server::handle_cancelled(const Value& id) {
  refuse_request(id, {ErrorCode::kRequestCancelled, "the request was cancelled"});
}

void Server::handle_broken(const RpcError& error) {
  refuse_request(nullptr, error);
}

void Server::request(const Value& id, const std::string& method, const Value& params) {
  const auto found = requests().find(method);
  if (state_ == State::kShutDown)
    return refuse_request(id, {ErrorCode::kInvalidRequest, "the server has been shut down"});
  if (state_ == State::kNew && method != "initialize")
    return refuse_request(id, {ErrorCode::kServerNotInitialized, "expected initialize first"});
  if (state_ != State::kNew && method == "initialize")
    return refuse_request(id, {ErrorCode::kInvalidRequest, "initialize was already received"});
  if (found == requests().end())
    return refuse_request(id,
                          {ErrorCode::kMethodNotFound, fmt::format("unknown request: {}", method)});
  RpcResult<Value> result = (this->*found->second)(params);
  if (result)
    answer(id, *std::move(result));
  else
    refuse_request(id, result.error());
}

void Server::notification(const std::string& method, const Value& params) {
  if (method == "exit") {
    exit_code_ = state_ == State::kShutDown ? 0 : 1;
    return;
  }
  // Others may be ignored: that is what a notification is.
  const auto found = notifications().find(method);
  if (state_ != State::kInitialized || found == notifications().end()) return;
  const RpcResult<Value> result = (this->*found->second)(params);
  if (!result)
    send_message("window/logMessage", MessageType::kError,
                 fmt::format("{}: {}", method, result.error().message));
}

// The only answer that matters is the one to "workspace/configuration".
void Server::response(const Value& message) {
  const auto id = integer_at(message, {"id"});
  if (!id || !asked_configuration_ || *asked_configuration_ != static_cast<std::uint64_t>(*id))
    return;
  asked_configuration_.reset();
  const Value* const result = member(message, {"result"});
  if (result != nullptr && result->is_array() && !result->empty()) use_settings(result->front());
  log_notes();
}

void Server::answer(const Value& id, Value result) {
  send_({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Server::refuse_request(const Value& id, const RpcError& error) {
  send_({{"jsonrpc", "2.0"},
         {"id", id},
         {"error", {{"code", static_cast<int>(error.code)}, {"message", error.message}}}});
}

void Server::notify(const char* method, Value params) {
  send_({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Server::ask(const char* method, Value params) {
  send_({{"jsonrpc", "2.0"}, {"id", ++asked_}, {"method", method}, {"params", std::move(params)}});
}

void Server::send_message(const char* method, MessageType type, const std::string& message) {
  notify(method, {{"type", static_cast<int>(type)}, {"message", message}});
}

void Server::log_notes() {
  for (const std::string& note : workspace_.take_notes())
    send_message("window/logMessage", MessageType::kInfo, note);
}

}  // namespace hipwright::lsp
