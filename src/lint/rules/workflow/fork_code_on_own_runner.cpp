// SPDX-License-Identifier: MIT
// Pull requests of forks on a self-hosted runner.
//
// ## What it finds
//
// A job on a self-hosted runner in a workflow that pull requests start, without a condition on
// where the pull request comes from.
//
// ## Why it matters
//
// Anyone who can open a pull request runs code on the machine, and leaves it there: self-hosted
// runners are not fresh for each job.
//
// ## Example
//
// ```yaml
// on: [push, pull_request]
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
//     if: github.event_name != 'pull_request' || github.event.pull_request.head.repo.full_name ==
//     github.repository runs-on: [self-hosted, Linux, ROCm]
// ```
//
// ## When it is not a bug
//
// - A private repository whose forks are all trusted: suppress it with that reason.
#include "base/words.h"
#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

void find(WorkflowCheck& check) {
  const File& file = check.file;
  if (!file.has_event("pull_request") && !file.has_event("pull_request_target")) return;
  for (const Job& job : file.jobs()) {
    if (!file.is_self_hosted(job)) continue;
    const bool has_guard = job.condition != nullptr &&
                           has_any(job.condition->value, {"head.repo", "github.event_name",
                                                          "pull_request.author_association"});
    if (!has_guard)
      report(
          check, *job.runs_on, Confidence::kHigh,
          "pull requests of forks run on this machine: add if: github.event_name != "
          "'pull_request' || github.event.pull_request.head.repo.full_name == github.repository");
  }
}

}  // namespace

Rule fork_code_on_own_runner() {
  return {.code = "HC303",
          .name = "fork-code-on-own-runner",
          .summary = "pull requests of forks on a self-hosted runner",
          .severity = Severity::kError,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
