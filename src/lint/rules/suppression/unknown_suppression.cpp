// SPDX-License-Identifier: MIT
// A comment that speaks to hipwright is not understood.
//
// ## What it finds
//
// `hipwright: ignore[…]` with a word that is no code, no prefix of codes, no rule's name and no
// area; with no word at all; and `ignore` or `ignore-file` that is mistyped.
//
// ## Why it matters
//
// The comment suppresses nothing, whatever its writer believed.
//
// ## Example
//
// ```cuda
// unsigned mask = __ballot(vote);  // hipwright: ignore[W201] blocks have 32 threads
// ```
//
// ## Use instead
//
// ```cuda
// unsigned mask = __ballot(vote);  // hipwright: ignore[HW201] blocks have 32 threads
// ```
//
// ## When it is not a bug
//
// Prose is left alone: `hipwright:` counts only when `ignore` (or something typed like it) and a
// bracket follow.
#include "lint/rule.h"

namespace hipwright::lint::rules {

// Reported by lint/suppression.cpp.
Rule unknown_suppression() {
  return {.code = "HW003",
          .name = "unknown-suppression",
          .summary = "a comment to hipwright that it does not understand",
          .severity = Severity::kWarning};
}

}  // namespace hipwright::lint::rules
