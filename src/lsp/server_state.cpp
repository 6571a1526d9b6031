// SPDX-License-Identifier: MIT
// What the editor says of itself, its texts, its settings and its files.
#include <algorithm>

#include <fmt/format.h>

#include "lsp/server.h"
#include "lsp/settings.h"
#include "lsp/uri.h"

namespace hipwright::lsp {

namespace {

Value capabilities_for(const Client& client) {
  constexpr int kIncremental = 2;
  Value able = {
      {"positionEncoding", to_string(client.encoding)},
      {"textDocumentSync",
       {{"openClose", true}, {"change", kIncremental}, {"save", {{"includeText", false}}}}},
      {"codeActionProvider", {{"codeActionKinds", {"quickfix", kFixAll}}}},
      {"hoverProvider", true},
      {"workspace", {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}}};
  if (client.pulls_diagnostics)
    able["diagnosticProvider"] = {{"identifier", "hipwright"},
                                  {"interFileDependencies", true},
                                  {"workspaceDiagnostics", false}};
  return able;
}

// What changes the findings of other files: configuration, build lists, includes.
Value watchers() {
  Value list = Value::array();
  for (const char* pattern :
       {"**/hipwright.toml", "**/CMakeLists.txt", "**/*.cmake", "**/setup*.py",
        "**/*.{cu,cuh,hip,c,cc,cpp,cxx,h,hh,hpp,hxx,inl,inc,ipp,tpp}"})
    list.push_back({{"globPattern", pattern}});
  Value one = {{"id", "files"},
               {"method", "workspace/didChangeWatchedFiles"},
               {"registerOptions", {{"watchers", std::move(list)}}}};
  return {{"registrations", Value::array({std::move(one)})}};
}

Value configuration_items() {
  Value item = {{"section", "hipwright"}};
  return {{"items", Value::array({std::move(item)})}};
}

}  // namespace

RpcResult<Value> Server::initialize(const Value& params) {
  if (!params.is_object()) return refuse(ErrorCode::kInvalidParams, "params is not an object");
  client_ = client_of(params);
  workspace_.set_folders(client_.folders);
  state_ = State::kInitialized;
  if (const Value* settings = member(params, {"initializationOptions"})) use_settings(*settings);
  return Value{{"capabilities", capabilities_for(client_)},
               {"serverInfo", {{"name", "hipwright"}, {"version", HIPWRIGHT_VERSION}}}};
}

RpcResult<Value> Server::shutdown(const Value&) {
  state_ = State::kShutDown;
  documents_.clear();
  return Value();
}

RpcResult<Value> Server::initialized(const Value&) {
  if (client_.registers_watchers) ask("client/registerCapability", watchers());
  if (client_.has_configuration) {
    ask("workspace/configuration", configuration_items());
    asked_configuration_ = asked_;
  }
  return Value();
}

RpcResult<Value> Server::did_open(const Value& params) {
  auto document = open_document(params, client_.encoding);
  if (!document) return std::unexpected(std::move(document).error());
  const std::string uri = document->uri;
  documents_.insert_or_assign(uri, Open{.document = *std::move(document)});
  return Value();
}

RpcResult<Value> Server::did_change(const Value& params) {
  auto open = opened(params);
  if (!open) return std::unexpected(std::move(open).error());
  auto changed = change_document((*open)->document, params);
  if (!changed) return std::unexpected(std::move(changed).error());
  (*open)->result.reset();
  return Value();
}

RpcResult<Value> Server::did_save(const Value& params) {
  auto open = opened(params);
  if (!open) return std::unexpected(std::move(open).error());
  if (workspace_.file_changed((*open)->document.path)) forget_results();
  return Value();
}

RpcResult<Value> Server::did_close(const Value& params) {
  auto open = opened(params);
  if (!open) return std::unexpected(std::move(open).error());
  const std::string uri = (*open)->document.uri;
  documents_.erase(uri);
  // What is known of the file would stay on the screen.
  if (!client_.pulls_diagnostics)
    notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Value::array()}});
  return Value();
}

RpcResult<Value> Server::did_change_configuration(const Value& params) {
  const Value* const settings = member(params, {"settings"});
  // Some editors say only that something changed.
  if (settings == nullptr && client_.has_configuration) {
    ask("workspace/configuration", configuration_items());
    asked_configuration_ = asked_;
    return Value();
  }
  use_settings(settings == nullptr ? Value() : *settings);
  return Value();
}

RpcResult<Value> Server::did_change_files(const Value& params) {
  const Value* const changes = member(params, {"changes"});
  if (changes == nullptr || !changes->is_array())
    return refuse(ErrorCode::kInvalidParams, "changes is not an array");
  bool is_changed = false;
  for (const Value& change : *changes) {
    const std::string* const uri = string_at(change, {"uri"});
    const auto path = uri == nullptr ? std::nullopt : path_of(*uri);
    if (path) is_changed |= workspace_.file_changed(*path);
  }
  if (is_changed) forget_results();
  return Value();
}

RpcResult<Value> Server::did_change_folders(const Value& params) {
  const auto each_path = [&](const char* key, auto&& body) {
    const Value* const list = member(params, {"event", key});
    if (list == nullptr || !list->is_array()) return;
    for (const Value& folder : *list)
      if (const std::string* uri = string_at(folder, {"uri"}))
        if (auto path = path_of(*uri)) body(*path);
  };
  each_path("removed", [&](const auto& path) { std::erase(client_.folders, path); });
  each_path("added", [&](const auto& path) { client_.folders.push_back(path); });
  workspace_.set_folders(client_.folders);
  forget_results();
  return Value();
}

void Server::use_settings(const Value& settings) {
  auto options = parse_settings(settings);
  if (!options)
    return send_message("window/showMessage", MessageType::kError, options.error().message());
  workspace_.set_options(*std::move(options));
  forget_results();
}

// Another project, another configuration: every text is looked at again.
void Server::forget_results() {
  shown_error_.clear();
  for (auto& [uri, open] : documents_) open.result.reset();
  if (client_.pulls_diagnostics && client_.refreshes_diagnostics && !documents_.empty())
    ask("workspace/diagnostic/refresh", nullptr);
}

}  // namespace hipwright::lsp
