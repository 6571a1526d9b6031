// SPDX-License-Identifier: MIT
#include "verify/timeout.h"

#include <fmt/format.h>

namespace hipwright::verify {

void judge_timeout(Check& check, double limit, const std::optional<EndedRun>& fastest,
                   const std::string& less_to_do) {
  check.evidence = fmt::format("it did not end within {:.0f} s", limit);
  if (fastest && fastest->seconds * kHangs < limit) {
    check.verdict = Verdict::kFail;
    check.evidence += fmt::format(
        ", and the same ended on {} after {:.2g} s: it hangs. A barrier that not all threads "
        "reach, "
        "or a wait for lanes or workgroups that never come, are the usual reasons; hipwright run "
        "--step-limit 1000000 says where it waits",
        fastest->where, fastest->seconds);
    return;
  }
  check.verdict = Verdict::kNotChecked;
  check.evidence += fmt::format(
      ": it hangs, or it is too much for this device, which cannot be told apart. Give it less to "
      "do ({}) or more time (--timeout); hipwright run --step-limit 1000000 says where it is",
      less_to_do);
}

}  // namespace hipwright::verify
