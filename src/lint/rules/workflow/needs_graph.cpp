// SPDX-License-Identifier: MIT
// Needs of a job that does not exist.
//
// ## What it finds
//
// A name in `needs` that no job has, a job that needs itself, and cycles.
//
// ## Why it matters
//
// GitHub rejects the file. A document that promises a job, and a `needs` that waits for it, do not
// make one.
//
// ## Example
//
// ```yaml
// jobs:
//   summary:
//     needs: [windows-rocm, linux-rocm]   # no such job
// ```
//
// ## Use instead
//
// ```yaml
// jobs:
//   linux-rocm:
//     runs-on: [self-hosted, Linux, ROCm]
//   summary:
//     needs: [windows-rocm, linux-rocm]
// ```
//
// ## When it is not a bug
//
// - Never.
#include <set>

#include <fmt/format.h>

#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

// Whether `target` is reached from `from`; every job is visited once.
bool reaches(const File& file, const Job& from, const Job& target, std::set<std::string>& seen) {
  for (const Node* need : file.needs(from)) {
    const Job* next = file.job(need->value);
    if (next == &target) return true;
    if (next != nullptr && seen.insert(std::string(next->name)).second &&
        reaches(file, *next, target, seen))
      return true;
  }
  return false;
}

void find(WorkflowCheck& check) {
  for (const Job& job : check.file.jobs())
    for (const Node* need : check.file.needs(job)) {
      const Job* needed = check.file.job(need->value);
      if (needed == nullptr) {
        report(check, *need, Confidence::kHigh, fmt::format("no job '{}'", need->value));
        continue;
      }
      std::set<std::string> seen;
      if (needed == &job || reaches(check.file, *needed, job, seen))
        report(check, *need, Confidence::kHigh,
               fmt::format("job '{}' needs itself{}", job.name,
                           needed == &job ? "" : " through '" + need->value + "'"));
    }
}

}  // namespace

Rule needs_graph() {
  return {.code = "HC105",
          .name = "needs-graph",
          .summary = "needs of a job that does not exist",
          .severity = Severity::kError,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
