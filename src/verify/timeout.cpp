// SPDX-License-Identifier: MIT
#include "verify/timeout.h"

#include <fmt/format.h>

namespace hipwright::verify {

void judge_timeout(Check& check, double limit, const std::optional<FinishedRun>& fastest,
                   const std::string& less_to_do) {
  check.evidence = fmt::format("timed out after {:.0f} s", limit);
  if (fastest && fastest->seconds * kHangs < limit) {
    check.verdict = Verdict::kFail;
    check.evidence += fmt::format(
        ", but finished on {} in {:.2g} s: it hangs. Usual causes are a barrier that not all "
        "threads reach, or a wait for lanes or workgroups that never arrive; hipwright run "
        "--step-limit 1000000 shows where it waits",
        fastest->where, fastest->seconds);
    return;
  }
  check.verdict = Verdict::kNotChecked;
  check.evidence += fmt::format(
      ": it hangs, or it is too slow on this device. Reduce the work ({}) or raise --timeout; "
      "hipwright run --step-limit 1000000 shows where it is",
      less_to_do);
}

}  // namespace hipwright::verify
