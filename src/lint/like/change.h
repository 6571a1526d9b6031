// SPDX-License-Identifier: MIT
// The changes of a patch as whole texts before and after, if the tree has the file: a hunk alone
// often begins inside a statement or a string.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lint/like/patch.h"

namespace hipwright::lint::like {

// Lines from 1, half-open; an empty range is before its line.
struct Lines {
  std::uint32_t begin = 1, end = 1;
  bool empty() const { return begin >= end; }
  bool overlaps(std::uint32_t first, std::uint32_t last) const {
    return first < end && begin <= last;
  }
};

// Removed and added lines that no other line separates.
struct Run {
  Lines before, after;
};

enum class TreeSide { kNeither, kBefore, kAfter };

struct ChangedText {
  std::string path;  // the new one, from the project's folder
  std::string before, after;
  std::vector<Run> runs;
  std::uint32_t first_line = 1;           // of `before`, in the file
  TreeSide in_tree = TreeSide::kNeither;  // which of the texts the tree has
};

// `read` returns a file of the project, or nothing if it is missing. A file that does not match the
// patch yields one text per hunk. New, deleted and binary files yield nothing.
std::vector<ChangedText> changed_texts(
    const Patch& patch,
    const std::function<std::optional<std::string>(const std::string& path)>& read);

}  // namespace hipwright::lint::like
