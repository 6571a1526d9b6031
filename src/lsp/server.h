// SPDX-License-Identifier: MIT
// A language server: messages in, messages out. Its only other input is the files of the projects;
// lsp/stdio.h connects it to an editor.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "lsp/answers.h"
#include "lsp/client.h"
#include "lsp/document.h"
#include "lsp/message.h"
#include "lsp/workspace.h"

namespace hipwright::lsp {

struct ServerOptions {
  std::filesystem::path pages;  // the folder with the rules' pages; may be empty
  bool has_files = true;        // false: texts only
};

class Server {
 public:
  using Send = std::function<void(const Value& message)>;
  Server(ServerOptions options, Send send);

  void handle(const Value& message);
  // A request that the editor cancelled before it was handled.
  void handle_cancelled(const Value& id);
  // The input was not a valid message.
  void handle_broken(const RpcError& error);
  // No message is waiting: lints the documents that changed.
  void settle();

  // Set by "exit": 0 after "shutdown", 1 without.
  std::optional<int> exit_code() const { return exit_code_; }

 private:
  enum class State { kNew, kInitialized, kShutDown };
  enum class MessageType { kError = 1, kWarning, kInfo, kLog };
  struct Open {
    Document document;
    std::optional<lint::FileResult> result;  // empty: not linted since the last change
    std::uint64_t generation = 0;            // of the result: what clients compare
  };
  using Handler = RpcResult<Value> (Server::*)(const Value& params);

  void request(const Value& id, const std::string& method, const Value& params);
  void notification(const std::string& method, const Value& params);
  void response(const Value& message);

  RpcResult<Value> initialize(const Value& params);
  RpcResult<Value> shutdown(const Value& params);
  RpcResult<Value> pull_diagnostics(const Value& params);
  RpcResult<Value> code_action(const Value& params);
  RpcResult<Value> hover_at(const Value& params);

  RpcResult<Value> initialized(const Value& params);
  RpcResult<Value> did_open(const Value& params);
  RpcResult<Value> did_change(const Value& params);
  RpcResult<Value> did_save(const Value& params);
  RpcResult<Value> did_close(const Value& params);
  RpcResult<Value> did_change_configuration(const Value& params);
  RpcResult<Value> did_change_files(const Value& params);
  RpcResult<Value> did_change_folders(const Value& params);

  static const std::map<std::string, Handler, std::less<>>& requests();
  static const std::map<std::string, Handler, std::less<>>& notifications();

  RpcResult<Open*> opened(const Value& params);
  const lint::FileResult& result_of(Open& open);
  void publish(Open& open);
  void use_settings(const Value& settings);
  void forget_results();
  void log_notes();

  void answer(const Value& id, Value result);
  void refuse_request(const Value& id, const RpcError& error);
  void notify(const char* method, Value params);
  void ask(const char* method, Value params);
  void send_message(const char* method, MessageType type, const std::string& message);

  ServerOptions options_;
  Send send_;
  State state_ = State::kNew;
  std::optional<int> exit_code_;
  Client client_;
  Workspace workspace_;
  std::map<std::string, Open> documents_;  // by URI
  std::uint64_t generation_ = 0;
  std::uint64_t asked_ = 0;  // requests sent to the editor
  std::optional<std::uint64_t> asked_configuration_;
  std::string shown_error_;  // so that the same error is not shown for every file
};

}  // namespace hipwright::lsp
