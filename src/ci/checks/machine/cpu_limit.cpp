// SPDX-License-Identifier: MIT
// A cgroup that gives fewer CPUs than the machine shows: builds start too many processes.
#include <algorithm>

#include <fmt/format.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void run(Checkup& c) {
  if (!c.facts.cpus) return c.unknown("the number of CPUs is not known", "nproc");
  if (c.facts.cpu_limit && *c.facts.cpu_limit < *c.facts.cpus)
    return c.warn(fmt::format("the cgroup limits jobs to {:.1f} of {} CPUs; builds see {}",
                              *c.facts.cpu_limit, *c.facts.cpus, *c.facts.cpus),
                  fmt::format("export MAX_JOBS={0:.0f} CMAKE_BUILD_PARALLEL_LEVEL={0:.0f}",
                              std::max(1.0, *c.facts.cpu_limit)));
  c.pass(fmt::format("{} CPUs", *c.facts.cpus));
}

}  // namespace

Check cpu_limit() {
  return {.name = "cpu-limit", .title = "CPU limit", .os = "linux", .run = run};
}

}  // namespace hipwright::ci::checks
