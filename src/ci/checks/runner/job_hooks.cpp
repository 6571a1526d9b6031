// SPDX-License-Identifier: MIT
// Scripts before and after each job that end leftover processes.
#include <fmt/format.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void run(Checkup& c) {
  if (!c.facts.runner)
    return c.unknown("no GitHub Actions runner found on this machine",
                     "Name its directory: HIPWRIGHT_RUNNER_DIR=/path/to/actions-runner");
  const Runner& runner = *c.facts.runner;
  if (runner.ephemeral == true) return c.pass("an ephemeral runner needs none");
  if (runner.has_job_started_hook && runner.has_job_completed_hook)
    return c.pass("hooks before and after each job");
  c.warn(fmt::format("no hook {} each job", runner.has_job_started_hook     ? "after"
                                            : runner.has_job_completed_hook ? "before"
                                                                            : "before and after"),
         fmt::format("hipwright doctor hooks {}", runner.directory));
}

}  // namespace

Check job_hooks() {
  return {
      .name = "job-hooks", .title = "Job hooks", .os = "linux", .run = run, .only_runners = true};
}

}  // namespace hipwright::ci::checks
