// SPDX-License-Identifier: MIT
// Automatic NUMA balancing unmaps pages that GPUs use; AMD asks to turn it off.
#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void run(Checkup& c) {
  if (!c.facts.numa_balancing) return c.pass("the kernel has no automatic NUMA balancing");
  if (*c.facts.numa_balancing && c.facts.numa_nodes.value_or(1) > 1)
    return c.warn("automatic NUMA balancing is on: measurements vary and may hang",
                  "echo 0 | sudo tee /proc/sys/kernel/numa_balancing");
  c.pass(*c.facts.numa_balancing ? "on, and without effect on one NUMA node" : "off");
}

}  // namespace

Check numa_balancing() {
  return {.name = "numa-balancing", .title = "NUMA balancing", .os = "linux", .run = run};
}

}  // namespace hipwright::ci::checks
