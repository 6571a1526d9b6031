// SPDX-License-Identifier: MIT
// What to measure: a command, or examples and lists of commands.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace hipwright::perf {

struct Item {
  std::string name;  // unique among the items
  std::vector<std::string> argv;
};

// The words of a command line, with quotes and backslashes as in a shell; no variables, no
// patterns.
Result<std::vector<std::string>> split_words(std::string_view line, const std::string& origin);

// If the first word begins with "@", or all words are Python files: each word is an item, "@FILE"
// those of a list. Otherwise the words are one command.
//
// A list has one item a line: "COMMAND", "NAME = COMMAND", "example.py", "@another_list"; "#"
// begins a comment. Lists are found relative to the list that names them. A Python file alone is
// run by python3.
Result<std::vector<Item>> read_items(const std::vector<std::string>& words);

// The items of a list's text; `origin` is its file.
Result<std::vector<Item>> parse_list(std::string_view text, const std::string& origin);

}  // namespace hipwright::perf
