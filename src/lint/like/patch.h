// SPDX-License-Identifier: MIT
// Reads unified diffs, as written by `git diff`, `git show` and `git format-patch`.
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
  // The first line, from 1. For a side without lines, the line before, as diff writes it.
  std::uint32_t old_line = 0, new_line = 0;
  std::vector<PatchLine> lines;
};

struct PatchedFile {
  std::string old_path, new_path;  // from the project's folder; empty for /dev/null
  bool is_binary = false;
  std::vector<Hunk> hunks;  // may be empty: renames, modes
};

struct Patch {
  std::vector<PatchedFile> files;
};

// Errors name `origin` and the line. Text around the diffs (a mail, a commit message) is skipped.
Result<Patch> read_patch(std::string_view text, const std::string& origin);

}  // namespace hipwright::lint::like
