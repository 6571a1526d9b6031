// SPDX-License-Identifier: MIT
// A suppression comment gives no reason.
//
// ## What it finds
//
// `hipwright: ignore[…]` and `hipwright: ignore-file[…]` with nothing after the bracket, or with
// the `TODO` that editors insert. The suppression still takes effect.
//
// ## Why it matters
//
// Later readers must know whether the reason still holds. Without one, nobody dares to remove the
// comment.
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
// Any other text after the bracket counts as a reason.
#include "lint/rule.h"

namespace hipwright::lint::rules {

// Reported by lint/suppression.cpp.
Rule suppression_without_reason() {
  return {.code = "HW001",
          .name = "suppression-without-reason",
          .summary = "suppression without a reason",
          .severity = Severity::kWarning};
}

}  // namespace hipwright::lint::rules
