// SPDX-License-Identifier: MIT
// A comment suppresses a finding that is not there.
//
// ## What it finds
//
// `hipwright: ignore[…]` and `hipwright: ignore-file[…]` that name a rule which finds nothing where
// the comment speaks. The fix removes what is not needed.
//
// ## Why it matters
//
// The bug was fixed, the line moved away, or the comment stands on the wrong line. Left there, it
// hides the next bug.
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
// Rules that do not run (`--ignore`, `--select`) are not counted as finding nothing. Findings that
// matter only for targets other than those of `--arch` count as found.
#include "lint/rule.h"

namespace hipwright::lint::rules {

// Reported by lint/suppression.cpp.
Rule unused_suppression() {
  return {.code = "HW002",
          .name = "unused-suppression",
          .summary = "a suppression of something that is not found",
          .severity = Severity::kWarning};
}

}  // namespace hipwright::lint::rules
