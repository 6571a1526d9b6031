// SPDX-License-Identifier: MIT
// Token left in the checkout.
//
// ## What it finds
//
// `actions/checkout` without `persist-credentials: false`.
//
// ## Why it matters
//
// The token stays in `.git/config`, where every later step and every artifact that contains the
// directory can read it.
//
// ## Example
//
// ```yaml
// - uses: actions/checkout@SHA
// ```
//
// ## Use instead
//
// ```yaml
// - uses: actions/checkout@SHA
//   with:
//     persist-credentials: false
// ```
//
// ## When it is not a bug
//
// - A job that pushes with git: not reported.
#include "base/words.h"
#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

void find(WorkflowCheck& check) {
  for (const Job& job : check.file.jobs()) {
    bool pushes = false;
    for (const Step& step : job.steps)
      pushes |= step.run != nullptr &&
                has_any(step.run->value, {"git push", "git fetch", "git submodule"});
    for (const Step& step : job.steps) {
      if (pushes || step.action() != "actions/checkout" ||
          check.file.get(step.with, "persist-credentials") != nullptr)
        continue;
      std::vector<Fix> fixes;
      if (step.with == nullptr) {
        fixes.push_back(new_key(check, *step.uses, "with: {persist-credentials: false}",
                                "keep the token out of the checkout"));
      } else if (!step.with->is_flow && !step.with->entries.empty()) {
        const Node& last = check.file.yaml().node(step.with->entries.front().key);
        fixes.push_back(new_key_before(check, last, "persist-credentials: false",
                                       "keep the token out of the checkout"));
      }
      report(check, *step.uses, Confidence::kHigh,
             "the token stays in .git/config: set persist-credentials: false", std::move(fixes));
    }
  }
}

}  // namespace

Rule checkout_credentials() {
  return {.code = "HC306",
          .name = "checkout-credentials",
          .summary = "token left in the checkout",
          .severity = Severity::kWarning,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
