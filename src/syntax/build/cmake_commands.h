// SPDX-License-Identifier: MIT
// The commands of a CMake file with the places of their arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/problem.h"

namespace hipwright::syntax::build {

struct CMakeArgument {
  enum class Kind : unsigned char { kPlain, kQuoted, kBracket, kParenthesis };
  Kind kind = Kind::kPlain;
  std::string_view text;  // without quotes and brackets; escapes as they stand
  Span span;              // with them
};

struct CMakeCommand {
  std::string name;                      // in lower case
  std::vector<CMakeArgument> arguments;  // nested parentheses are arguments of their own
  std::vector<Span> comments;            // between the arguments, with their #
  Span span;

  // The text of an argument; empty when there are fewer.
  std::string_view text(std::size_t index) const {
    return index < arguments.size() ? arguments[index].text : std::string_view();
  }
};

struct CMakeCommands {
  std::vector<CMakeCommand> list;
  std::vector<Problem> problems;
};

// Reads any text; `text` must outlive the result.
CMakeCommands read_cmake(std::string_view text);

}  // namespace hipwright::syntax::build
