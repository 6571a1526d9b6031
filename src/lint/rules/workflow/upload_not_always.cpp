// SPDX-License-Identifier: MIT
// Diagnostics that are not uploaded on failure.
//
// ## What it finds
//
// An upload of logs, profiles, reports or test results without `if: always()` (or `failure()`,
// `!cancelled()`), after a step that can fail.
//
// ## Why it matters
//
// The upload is skipped exactly when the file is needed: after the tests or the profile failed.
//
// ## Example
//
// ```yaml
// - run: python scripts/profile.py --out logs/rocm_profile.json
// - uses: actions/upload-artifact@SHA
//   with:
//     path: logs/rocm_profile.json
// ```
//
// ## Use instead
//
// ```yaml
// - uses: actions/upload-artifact@SHA
//   if: always()
//   with:
//     path: logs/rocm_profile.json
// ```
//
// ## When it is not a bug
//
// - Wheels and other results that must not be taken from a failed job: not reported.
#include "base/words.h"
#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

bool is_diagnostic(std::string_view text) {
  const std::string word = lowered(text);
  return has_any(word, {"log", "profile", "report", "junit", "coverage", "test-result",
                        "test_result", "dump"}) &&
         !has_any(word, {"changelog", "catalog", "login"});
}

void find(WorkflowCheck& check) {
  for (const Job& job : check.file.jobs()) {
    bool can_fail = false;
    for (const Step& step : job.steps) {
      can_fail |= step.run != nullptr;
      if (step.action() != "actions/upload-artifact" || !can_fail) continue;
      const Node* path = check.file.get(step.with, "path");
      const Node* name = check.file.get(step.with, "name");
      const bool is = (path != nullptr && is_diagnostic(path->value)) ||
                      (name != nullptr && is_diagnostic(name->value));
      const bool has_condition =
          step.condition != nullptr &&
          has_any(step.condition->value, {"always()", "failure()", "cancelled()"});
      if (!is || has_condition) continue;
      std::vector<Fix> fixes;
      if (step.condition == nullptr)
        fixes.push_back(new_key(check, *step.uses, "if: always()", "upload after failures, too"));
      report(check, *step.uses, Confidence::kMedium,
             "diagnostics are not uploaded when an earlier step fails: add if: always()",
             std::move(fixes));
    }
  }
}

}  // namespace

Rule upload_not_always() {
  return {.code = "HC204",
          .name = "upload-not-always",
          .summary = "diagnostics that are not uploaded on failure",
          .severity = Severity::kWarning,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
