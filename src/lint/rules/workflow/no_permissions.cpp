// SPDX-License-Identifier: MIT
// No permissions for the token.
//
// ## What it finds
//
// A workflow without top-level `permissions` in which some job has none of its own.
//
// ## Why it matters
//
// The job gets what the repository's settings give by default, often write access to everything,
// and every action that it runs has that, too.
//
// ## Example
//
// ```yaml
// on: [push]
// jobs:
//   build: …
// ```
//
// ## Use instead
//
// ```yaml
// on: [push]
// permissions:
//   contents: read
// jobs:
//   build: …
// ```
//
// ## When it is not a bug
//
// - An organisation that restricts the default: say it in the file anyway, forks do not have the
//   setting.
#include <fmt/format.h>

#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

void find(WorkflowCheck& check) {
  const File& file = check.file;
  const Node* jobs = file.yaml().key(file.root(), "jobs");
  if (jobs == nullptr || file.get(&file.root(), "permissions") != nullptr) return;
  for (const Job& job : file.jobs()) {
    if (job.permissions != nullptr) continue;
    Fix fix{.description = "allow reading the repository only"};
    fix.edits.push_back(
        {{jobs->span.begin, jobs->span.begin}, "permissions:\n  contents: read\n\n"});
    return report(check, *jobs, Confidence::kHigh,
                  fmt::format("the token of job '{}' has the repository's default permissions: add "
                              "permissions: contents: read",
                              job.name),
                  {std::move(fix)});
  }
}

}  // namespace

Rule no_permissions() {
  return {.code = "HC301",
          .name = "no-permissions",
          .summary = "no permissions for the token",
          .severity = Severity::kWarning,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
