// SPDX-License-Identifier: MIT
// A comment suppresses a finding and does not say why.
//
// ## What it finds
//
// `hipwright: ignore[…]` and `hipwright: ignore-file[…]` with nothing after the bracket, or with
// `TODO`, which editors write for you. The suppression works all the same.
//
// ## Why it matters
//
// Whoever reads the line later must know whether the reason still holds. Without one, nobody dares
// to remove the comment.
//
// ## Example
//
// ```cuda
// unsigned mask = __ballot(vote);  // hipwright: ignore[HW201]
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
// Any other text after the bracket is a reason.
#include "lint/rule.h"

namespace hipwright::lint::rules {

// Reported by lint/suppression.cpp.
Rule suppression_without_reason() {
  return {.code = "HW001",
          .name = "suppression-without-reason",
          .summary = "a suppression that does not say why",
          .severity = Severity::kWarning};
}

}  // namespace hipwright::lint::rules
