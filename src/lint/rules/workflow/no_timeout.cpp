// SPDX-License-Identifier: MIT
// Job without a time limit.
//
// ## What it finds
//
// A job with steps and without `timeout-minutes`.
//
// ## Why it matters
//
// The default is six hours. A hung GPU, which is the usual way for a GPU test to fail, holds the
// runner for all of them.
//
// ## Example
//
// ```yaml
// jobs:
//   gpu:
//     runs-on: [self-hosted, Linux, ROCm]
// ```
//
// ## Use instead
//
// ```yaml
// jobs:
//   gpu:
//     runs-on: [self-hosted, Linux, ROCm]
//     timeout-minutes: 30
// ```
//
// ## When it is not a bug
//
// - Every step has a limit of its own: not reported.
#include <fmt/format.h>

#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

void find(WorkflowCheck& check) {
  for (const Job& job : check.file.jobs()) {
    if (job.timeout != nullptr || job.uses != nullptr || job.steps.empty()) continue;
    bool all = true;
    for (const Step& step : job.steps)
      all &= check.file.get(step.node, "timeout-minutes") != nullptr;
    if (!all)
      report(check, *job.key, Confidence::kHigh,
             fmt::format("job '{}' may run for six hours: set timeout-minutes", job.name));
  }
}

}  // namespace

Rule no_timeout() {
  return {.code = "HC307",
          .name = "no-timeout",
          .summary = "job without a time limit",
          .severity = Severity::kWarning,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
