// SPDX-License-Identifier: MIT
// Release that may lack its files.
//
// ## What it finds
//
// A release step with `fail_on_unmatched_files: false`, or without it although it names files.
//
// ## Why it matters
//
// The release is published without the wheels, and the job is green.
//
// ## Example
//
// ```yaml
// - uses: softprops/action-gh-release@SHA
//   with:
//     files: dist/*.whl
//     fail_on_unmatched_files: false
// ```
//
// ## Use instead
//
// ```yaml
//     files: dist/*.whl
//     fail_on_unmatched_files: true
// ```
//
// ## When it is not a bug
//
// - Files that are optional by design: publish them in a step of their own.
#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

void find(WorkflowCheck& check) {
  for (const Job& job : check.file.jobs())
    for (const Step& step : job.steps) {
      if (step.action() != "softprops/action-gh-release") continue;
      const Node* chosen = check.file.get(step.with, "fail_on_unmatched_files");
      const Node* files = check.file.get(step.with, "files");
      if (chosen != nullptr && chosen->value == "false")
        report(check, *chosen, Confidence::kHigh,
               "the release is published even if no file matches",
               {replacement(*chosen, "true", "fail when a pattern matches nothing")});
      else if (chosen == nullptr && files != nullptr)
        report(
            check, *files, Confidence::kMedium,
            "the release is published even if no file matches: set fail_on_unmatched_files: true");
    }
}

}  // namespace

Rule unmatched_release_files() {
  return {.code = "HC203",
          .name = "unmatched-release-files",
          .summary = "release that may lack its files",
          .severity = Severity::kWarning,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
