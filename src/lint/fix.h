// SPDX-License-Identifier: MIT
// Applies the fixes of findings.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lint/engine.h"

namespace hipwright::lint {

enum class FixKind { kSafe, kUnsafe };  // kUnsafe includes safe fixes

struct FixedText {
  std::string text;
  std::size_t applied = 0;
  std::size_t postponed = 0;  // overlap an applied fix: left for the next pass
};
// Applies the first fix of that kind of each finding. Of two that overlap, the first wins.
FixedText apply_fixes(std::string_view text, std::span<const Finding> findings, FixKind kind);

struct FixedFile {
  std::string path;
  std::string before, after;  // as read: without a byte order mark, UTF-16 as UTF-8
};
struct FixResult {
  std::vector<FixedFile> files;  // by path; only those that changed
  std::size_t applied = 0;
  Report left;  // findings that remain after the fixes
};
// Lints and fixes until nothing more changes; writes nothing.
Result<FixResult> fix(Options options, FixKind kind);

// Writes the fixed texts in the encoding of their files, each atomically. Writes nothing if one of
// them is read-only or has changed since it was read.
Status write_fixes(const Options& options, const FixResult& result);

}  // namespace hipwright::lint
