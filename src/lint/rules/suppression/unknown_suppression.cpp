// SPDX-License-Identifier: MIT
// A suppression comment is malformed or names an unknown rule.
//
// ## What it finds
//
// `hipwright: ignore[…]` with a word that is not a code, a prefix of codes, a rule name or an area;
// with no word at all; and a misspelled `ignore` or `ignore-file`.
//
// ## Why it matters
//
// The comment suppresses nothing, contrary to its author's intention.
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
// Prose is ignored: `hipwright:` counts only when `ignore` (or a misspelling of it) and a bracket
// follow.
#include "lint/rule.h"

namespace hipwright::lint::rules {

// Reported by lint/suppression.cpp.
Rule unknown_suppression() {
  return {.code = "HW003",
          .name = "unknown-suppression",
          .summary = "suppression comment that is malformed or names an unknown rule",
          .severity = Severity::kWarning};
}

}  // namespace hipwright::lint::rules
