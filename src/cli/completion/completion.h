// SPDX-License-Identifier: MIT
// Completion scripts, generated from the declared commands and options.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace hipwright::cli {

std::string bash_completion(const CLI::App& tool);
std::string zsh_completion(const CLI::App& tool);
std::string fish_completion(const CLI::App& tool);

// Where the values of an option or argument come from.
struct ValueSource {
  enum Kind { kNone, kFree, kFiles, kDirectories, kWords, kWordList };
  Kind kind = kNone;               // kNone: a flag; kWordList: words separated by commas
  std::vector<std::string> words;  // of kWords and kWordList
};
ValueSource value_source(const CLI::Option& option);

// `tool` and all visible commands below it, parents first.
std::vector<const CLI::App*> all_commands(const CLI::App& tool);

// Options of a command and those of the tool that every command takes.
std::vector<const CLI::Option*> accepted_options(const CLI::App& command);

// The source of a command's own arguments; kNone when it has none.
ValueSource argument_source(const CLI::App& command);

// In single quotes, for any of the shells.
std::string quoted(const std::string& text);

}  // namespace hipwright::cli
