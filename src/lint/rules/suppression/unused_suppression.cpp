// SPDX-License-Identifier: MIT
// A suppression comment matches no finding.
//
// ## What it finds
//
// `hipwright: ignore[…]` and `hipwright: ignore-file[…]` that name a rule which finds nothing where
// the comment applies. The fix removes the unneeded part.
//
// ## Why it matters
//
// The bug was fixed, the line moved, or the comment is on the wrong line. If it stays, it hides the
// next bug.
//
// ## Example
//
// ```cuda
// auto mask = static_cast<unsigned long long>(__ballot(vote));  // hipwright: ignore[HW201] wide
// ```
//
// ## Use instead
//
// ```cuda
// auto mask = static_cast<unsigned long long>(__ballot(vote));
// ```
//
// ## When it is not a bug
//
// Suppressions of rules that do not run (`--ignore`, `--select`) are not reported. Findings that
// matter only for targets outside `--arch` count as found.
#include "lint/rule.h"

namespace hipwright::lint::rules {

// Reported by lint/suppression.cpp.
Rule unused_suppression() {
  return {.code = "HW002",
          .name = "unused-suppression",
          .summary = "suppression that matches no finding",
          .severity = Severity::kWarning};
}

}  // namespace hipwright::lint::rules
