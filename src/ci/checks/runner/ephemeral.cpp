// SPDX-License-Identifier: MIT
// A runner that takes one job and is then set up anew keeps one job's leftovers from the next.
#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void run(Checkup& c) {
  if (!c.facts.runner)
    return c.unknown("no GitHub Actions runner found on this machine",
                     "Name its directory: HIPWRIGHT_RUNNER_DIR=/path/to/actions-runner");
  const Runner& runner = *c.facts.runner;
  if (runner.ephemeral == true) return c.pass("the runner is ephemeral");
  if (!runner.ephemeral)
    return c.unknown(runner.directory + "/.runner cannot be read",
                     "Run it as the runner's account");
  c.warn("the runner is not ephemeral: a job can leave processes and files for the next",
         "Register it with: config.sh --ephemeral, and start it from a fresh container or VM");
}

}  // namespace

Check ephemeral() {
  return {
      .name = "ephemeral-runner", .title = "Ephemeral runner", .run = run, .only_runners = true};
}

}  // namespace hipwright::ci::checks
