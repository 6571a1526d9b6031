// SPDX-License-Identifier: MIT
// The words of a makefile's line as options of commands: functions are taken apart, and commands of
// a shell told from each other.
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

// Of a recipe every command is a run, otherwise the line is one. Arguments of functions follow as
// runs of their own; the word that holds them is in its run, too.
std::vector<MakeRun> runs_of(std::string_view text, const syntax::build::MakeLine& line);

// NVCC of "NVCC ?= nvcc", also with a target before it; empty: the line gives no value.
std::string_view variable_of(std::string_view text, const syntax::build::MakeLine& line);

}  // namespace hipwright::port
