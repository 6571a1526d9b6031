// SPDX-License-Identifier: MIT
// Splits a makefile's line into the words of commands: functions are expanded into their arguments,
// and shell commands are separated.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "syntax/build/make_lines.h"

namespace hipwright::port {

// Words that belong together: of one command of a recipe, or of one argument of a function.
struct MakeRun {
  std::vector<syntax::build::MakeWord> words;
  std::string_view program;  // of a recipe: the first word, without @ - +
  bool is_in_shell = false;  // of $(shell …)
};

// In a recipe every command is a run, otherwise the line is one. Arguments of functions follow as
// separate runs; the word that contains them is in its run, too.
std::vector<MakeRun> runs_of(std::string_view text, const syntax::build::MakeLine& line);

// NVCC of "NVCC ?= nvcc", also with a target before it; empty if the line is not an assignment.
std::string_view variable_of(std::string_view text, const syntax::build::MakeLine& line);

}  // namespace hipwright::port
