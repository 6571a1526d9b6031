// SPDX-License-Identifier: MIT
// The lines that changed since a commit, so that a review sees findings of the change only.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "lint/engine.h"

namespace hipwright::lint {

// Line numbers count from 1; both ends belong to the range.
struct LineRange {
  std::uint32_t first = 0, last = 0;
};

// By path from the top of the repository. A file without an entry did not change.
struct ChangedLines {
  std::map<std::string, std::vector<LineRange>, std::less<>> files;

  bool touches(std::string_view path, std::uint32_t first, std::uint32_t last) const;
};

// From `git diff -U0 --no-prefix --no-renames`. A line that the same diff removes, in the same file
// or in another, is moved, not changed: blanks at its ends do not count.
Result<ChangedLines> parse_changes(std::string_view diff);

// What the working tree, with new files, changes since the merge base of `reference` and HEAD.
Result<ChangedLines> changed_since(const std::string& reference,
                                   const std::filesystem::path& folder);

// Drops the findings that no changed line is part of.
Status keep_changed(const std::string& reference, const Options& options, Report& report);

}  // namespace hipwright::lint
