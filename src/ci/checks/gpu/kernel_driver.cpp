// SPDX-License-Identifier: MIT
// The kernel driver, and whether it found GPUs.
#include <fmt/format.h>

#include "base/counted.h"
#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void run(Checkup& c) {
  const HostFacts& facts = c.facts;
  if (!facts.driver_loaded)
    return c.unknown("/sys/module cannot be read", "Run it where /sys is mounted");
  if (!*facts.driver_loaded)
    return c.need("the kernel module amdgpu is not loaded",
                  "sudo modprobe amdgpu; without the module: install the kernel's "
                  "linux-modules-extra package or amdgpu-dkms");
  const std::string version =
      facts.driver_version.empty() ? "of the kernel " + facts.kernel : facts.driver_version;
  if (facts.kfd.empty())
    return c.need(fmt::format("amdgpu ({}) is loaded, but has no compute GPU", version),
                  "Check `dmesg | grep -iE 'amdgpu|kfd'` for firmware that is missing or a "
                  "GPU that this kernel does not know");
  c.pass(fmt::format("amdgpu ({}), {} with compute", version, counted(facts.kfd.size(), "GPU")));
}

}  // namespace

Check kernel_driver() {
  return {.name = "kernel-driver", .title = "amdgpu driver loaded", .os = "linux", .run = run};
}

}  // namespace hipwright::ci::checks
