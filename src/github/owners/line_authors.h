// SPDX-License-Identifier: MIT
// Who knows the changed code: those who wrote the lines that a patch replaces.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "github/blame.h"
#include "github/owners/codeowners.h"

namespace hipwright::github {

struct LineSpan {
  unsigned first = 0, last = 0;
};
// By path, the lines of the old side that a unified diff removes; of a pure insertion, the lines
// around it.
std::map<std::string, std::vector<LineSpan>> replaced_lines(std::string_view diff);

// By the number of those lines, most first; without `author`.
std::vector<Ranked> line_authors(const std::map<std::string, std::vector<LineSpan>>& lines,
                                 const std::vector<BlameRange>& blame, std::string_view author);

}  // namespace hipwright::github
