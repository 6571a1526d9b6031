// SPDX-License-Identifier: MIT
// A command is one file in commands/: it declares its options, calls the library, prints. The
// file registers itself; nothing else names it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "base/error.h"

namespace hipwright::cli {

constexpr int kOk = 0;
constexpr int kFindings = 1;  // it worked, and the answer is "no" (also: a compile that failed)
constexpr int kUsage = 2;     // it could not be done: bad input, missing tool, failed I/O

// Options every command shares.
struct Globals {
  bool quiet = false;
  bool colour_out = false;  // colour on standard output
  bool colour_err = false;
};
const Globals& globals();

struct Command {
  const char* name;
  const char* summary;
  // Declares options on `app` and returns what to do once they are parsed.
  std::function<std::function<int()>(CLI::App& app)> define;
  // Instead of `define`: takes the words after the command's name as they are (a compiler driver).
  std::function<int(std::vector<std::string> words)> run_raw = nullptr;

  // Adds it to the tool.
  struct Registration {
    explicit Registration(Command command);
  };
};

std::vector<Command>& registered_commands();

// A result, on standard output.
void print(std::string_view text);

// "hipwright: warning: …" on standard error: it worked, but not as it should.
void warn(const std::string& text);

// Prints "hipwright: error: …" on standard error and returns kUsage.
int report(const Error& error);

}  // namespace hipwright::cli
