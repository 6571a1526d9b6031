// SPDX-License-Identifier: MIT
// Code of a fork with the rights of the repository.
//
// ## What it finds
//
// `pull_request_target` or `workflow_run` together with a checkout of the pull request's head.
//
// ## Why it matters
//
// These events run with a token that may write and with the repository's secrets. Building the
// head of a pull request with them gives both to its author.
//
// ## Example
//
// ```yaml
// on: pull_request_target
// jobs:
//   build:
//     steps:
//       - uses: actions/checkout@SHA
//         with:
//           ref: ${{ github.event.pull_request.head.sha }}
// ```
//
// ## Use instead
//
// ```yaml
// on: pull_request
// jobs:
//   build:
//     steps:
//       - uses: actions/checkout@SHA
// ```
//
// ## When it is not a bug
//
// - A job that only reads files of the head and never runs them: it is easy to get wrong; suppress
//   it with the reason.
#include "base/words.h"
#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

void find(WorkflowCheck& check) {
  const File& file = check.file;
  if (!file.has_event("pull_request_target") && !file.has_event("workflow_run")) return;
  for (const Job& job : file.jobs())
    for (const Step& step : job.steps) {
      if (step.action() != "actions/checkout") continue;
      const Node* ref = file.get(step.with, "ref");
      const Node* repository = file.get(step.with, "repository");
      for (const Node* each : {ref, repository})
        if (each != nullptr && has_any(each->value, {"head", "pull/"}) &&
            each->value.find("${{") != std::string::npos) {
          report(check, *each, Confidence::kHigh,
                 "the head of a pull request is checked out with the repository's token and "
                 "secrets: use on: pull_request");
          break;
        }
    }
}

}  // namespace

Rule target_checkout() {
  return {.code = "HC305",
          .name = "target-checkout",
          .summary = "code of a fork with the rights of the repository",
          .severity = Severity::kError,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
