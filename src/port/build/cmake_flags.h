// SPDX-License-Identifier: MIT
// nvcc options in the arguments of CMake commands: in lists, in command lines, after the ':' of
// generator expressions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "port/build/flags.h"

namespace hipwright::port {

struct CMakeFlags {
  std::string text;
  std::vector<std::string> reasons;  // "-lineinfo: the same"
};

// Puts an argument with a generator expression that holds a list into quotes: add_compile_options()
// splits it otherwise.
std::string with_quoted_expressions(std::string_view arguments);

// Puts an option that becomes several into quotes, where a command line must stay one argument.
std::string with_quoted_option(std::string argument, FlagOf of);

// `arguments`: as they are written, with quotes, one blank between them. An option's value may be
// the next argument. `is_line`: blanks lie between options, also where there is only one.
CMakeFlags flags_for_amd(std::string_view arguments, FlagOf of, bool is_line);

}  // namespace hipwright::port
