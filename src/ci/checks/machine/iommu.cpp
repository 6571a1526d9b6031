// SPDX-License-Identifier: MIT
// With several GPUs, an IOMMU that is not in pass-through mode breaks or slows peer-to-peer copies.
#include "base/words.h"
#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void run(Checkup& c) {
  const std::string& line = c.facts.kernel_command_line;
  if (!c.facts.iommu)
    return c.unknown("/sys/kernel/iommu_groups cannot be read", "dmesg | grep -i iommu");
  if (!*c.facts.iommu) return c.pass("no IOMMU in use");
  const bool is_pass_through = has_any(line, {"iommu=pt", "iommu.passthrough=1"});
  if (gpus_of(c.facts).size() > 1 && !is_pass_through)
    return c.warn("several GPUs, and the IOMMU is not in pass-through mode",
                  "Add iommu=pt to GRUB_CMDLINE_LINUX, run update-grub, reboot");
  c.pass(is_pass_through ? "pass-through mode" : "in use, one GPU or none");
}

}  // namespace

Check iommu() {
  return {.name = "iommu", .title = "IOMMU mode", .os = "linux", .run = run};
}

}  // namespace hipwright::ci::checks
