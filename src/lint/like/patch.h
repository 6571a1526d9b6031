// SPDX-License-Identifier: MIT
// Reads unified diffs: what `git diff`, `git show` and `git format-patch` write.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::lint::like {

struct PatchLine {
  enum class Kind : char { kContext, kRemoved, kAdded };
  Kind kind = Kind::kContext;
  std::string text;  // without its line break, '\r' included in that
};

struct Hunk {
  // Of the first line, from 1. Where a side has no lines: the line before them, as diff writes it.
  std::uint32_t old_line = 0, new_line = 0;
  std::vector<PatchLine> lines;
};

struct PatchedFile {
  std::string old_path, new_path;  // from the project's folder; empty: /dev/null
  bool is_binary = false;
  std::vector<Hunk> hunks;  // may be empty: renames, modes
};

struct Patch {
  std::vector<PatchedFile> files;
};

// An error names `origin` and the line. Text around the diffs (a mail, a commit's message) is
// skipped.
Result<Patch> read_patch(std::string_view text, const std::string& origin);

}  // namespace hipwright::lint::like
