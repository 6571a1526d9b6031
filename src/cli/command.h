// SPDX-License-Identifier: MIT
// A command is one file in commands/: it declares its options, calls the library, prints. The
// file registers itself; nothing else names it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cli/app.h"

namespace hipwright::cli {

// Exit codes, the same for every command. docs/exit-codes.md and the manual pages show the table.
constexpr int kOk = 0;
constexpr int kFindings = 1;
constexpr int kUsage = 2;
constexpr int kNotChecked = 3;
constexpr int kStopped = 130;

struct ExitCode {
  int code;
  const char* meaning;
};
constexpr ExitCode kExitCodes[] = {
    {kOk, "Success"},
    {kFindings,
     "Completed with a negative result: findings, failed checks, unknown names, errors "
     "in compiled code"},
    {kUsage, "Not completed: invalid usage, missing file or tool, failed read or write"},
    {kNotChecked, "Completed, and nothing failed, but part of what was asked for was not checked"},
    {kStopped, "Stopped by Ctrl-C (143: SIGTERM, 129: SIGHUP); the results until then are printed"},
};

// Options every command shares.
struct Globals {
  bool quiet = false;
  bool colour_out = false;  // colour on standard output
  bool colour_err = false;
};
const Globals& globals();

struct Command {
  const char* name;
  const char* summary;  // imperative, no full stop: "Translate a CUDA repository to HIP"
  // Declares options on `app` and returns what to do once they are parsed.
  std::function<std::function<int()>(App app)> define;
  // Receives the words after the command's name unparsed (a compiler driver). `define` then only
  // declares options for the help, and its result is not called.
  std::function<int(std::vector<std::string> words)> run_raw = nullptr;
  // Exit codes beyond kExitCodes: "Otherwise the exit code of clang."
  const char* exit_codes = "";

  // Adds it to the tool.
  struct Registration {
    explicit Registration(Command command);
  };
};

std::vector<Command>& registered_commands();

// A result, on standard output: the exact bytes, unless a terminal shows them (base/visible.h).
// That it could not be written is an error at the end (main.cpp).
void print(std::string_view text);

// The same for what people read: control characters are visible everywhere.
void print_text(std::string_view text);

// Diagnostics and summaries, on standard error.
void print_error(std::string_view text);

// "hipwright: warning: …" on standard error.
void warn(const std::string& text);

// "hipwright: …" on standard error, unless --quiet: what was done.
void note(const std::string& text);

// Prints "hipwright: error: …" on standard error and returns kUsage.
int report(const Error& error);

}  // namespace hipwright::cli
