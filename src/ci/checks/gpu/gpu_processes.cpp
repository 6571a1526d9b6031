// SPDX-License-Identifier: MIT
// Processes that use a GPU although no job should run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void run(Checkup& c) {
  if (!c.facts.processes)
    return c.unknown("the driver's list of processes cannot be read",
                     "Run it on the host, as root");
  std::vector<std::string> alive;
  std::string pids;
  for (const GpuProcess& process : *c.facts.processes) {
    if (!process.is_alive) continue;
    alive.push_back(fmt::format("{} (pid {}, {}{})", process.name, process.pid, gib(process.vram),
                                process.user.empty() ? "" : ", " + process.user));
    pids += fmt::format(" {}", process.pid);
  }
  if (alive.empty()) return c.pass("no process uses a GPU");
  c.warn(fmt::format("GPUs in use by {}", fmt::join(alive, ", ")), "If no job runs: kill" + pids);
}

}  // namespace

Check gpu_processes() {
  return {.name = "gpu-processes", .title = "Leftover GPU processes", .os = "linux", .run = run};
}

}  // namespace hipwright::ci::checks
