// SPDX-License-Identifier: MIT
// Applies the fixes that findings carry.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lint/engine.h"

namespace hipwright::lint {

enum class FixKind { kSafe, kUnsafe };  // unsafe: safe ones too

struct FixedText {
  std::string text;
  std::size_t applied = 0;
  std::size_t postponed = 0;  // overlap one that was applied: for another pass
};
// Of each finding the first fix of that kind. Where two overlap the first wins.
FixedText apply_fixes(std::string_view text, std::span<const Finding> findings, FixKind kind);

struct FixedFile {
  std::string path;
  std::string before, after;  // as read: without a byte order mark, UTF-16 as UTF-8
};
struct FixResult {
  std::vector<FixedFile> files;  // by path; only those that changed
  std::size_t applied = 0;
  Report left;  // what is found after the fixes
};
// Lints and fixes until nothing more changes; writes nothing.
Result<FixResult> fix(Options options, FixKind kind);

// Writes the fixed texts in the encoding of the files they came from, each atomically. Nothing is
// written when one of them is read-only or changed meanwhile.
Status write_fixes(const Options& options, const FixResult& result);

}  // namespace hipwright::lint
