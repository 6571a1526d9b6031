// SPDX-License-Identifier: MIT
// Signs of a hung or reset GPU: a runtime that does not answer, and the kernel's messages.
#include <fmt/format.h>

#include "base/words.h"
#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

constexpr Words kHang = {"ring ",        "timeout",          "GPU reset",        "hang",
                         "VRAM is lost", "failed to remove", "failed to suspend"};

// A reset takes every job on the machine with it.
std::string reset_advice(const HostFacts& facts) {
  if (facts.container.inside) return "On the host: sudo amd-smi reset --gpureset --gpu all";
  if (!facts.processes)
    return "Check that no job runs; then: sudo amd-smi reset --gpureset --gpu all, or reboot";
  for (const GpuProcess& process : *facts.processes)
    if (process.is_alive)
      return fmt::format(
          "Do not reset yet: pid {} uses a GPU. End it, then: sudo amd-smi reset "
          "--gpureset --gpu all, or reboot",
          process.pid);
  return "sudo amd-smi reset --gpureset --gpu all; if that fails, reboot";
}

void run(Checkup& c) {
  if (c.facts.rocminfo.timed_out)
    c.fail("rocminfo did not finish in time: a GPU or its driver hangs", reset_advice(c.facts));
  if (!c.facts.kernel_log)
    return c.unknown("the kernel log cannot be read", "sudo dmesg | grep -i amdgpu");
  std::string last;
  unsigned count = 0;
  for (const std::string& line : *c.facts.kernel_log)
    if (has_any(line, kHang) && !has_any(line, {"uncorrectable", "correctable"})) {
      last = line;
      ++count;
    }
  if (count > 0)
    c.warn(fmt::format("the kernel log reports hangs or resets since boot ({} lines); the last: {}",
                       count, last),
           reset_advice(c.facts));
  else if (!c.facts.rocminfo.timed_out)
    c.pass("no hang or reset in the kernel log");
}

}  // namespace

Check gpu_hang() {
  return {.name = "gpu-hang", .title = "GPU hangs and resets", .os = "linux", .run = run};
}

}  // namespace hipwright::ci::checks
