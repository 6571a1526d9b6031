// SPDX-License-Identifier: MIT
// The GPUs, by target, and whether hipwright knows them.
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arch/arch.h"
#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void run(Checkup& c) {
  const std::vector<GpuSeen> gpus = gpus_of(c.facts);
  if (gpus.empty()) {
    const bool probed = c.facts.os == "linux" || c.facts.runtime.has_value();
    if (!probed) return c.unknown("no source names the GPUs", "Install the HIP SDK");
    return c.need("no AMD GPU found by the driver, rocminfo or the HIP runtime",
                  "See the results for kernel-driver, gpu-access and rocminfo");
  }
  std::map<std::string, unsigned> counts;
  for (const GpuSeen& gpu : gpus) ++counts[gpu.gfx];
  std::vector<std::string> known;
  for (const auto& [gfx, count] : counts) {
    if (arch::find(gfx) == nullptr)
      c.warn(fmt::format("{} is not in the table of targets", gfx),
             "Update hipwright, or name the targets yourself: HIPWRIGHT_HIP_ARCHES=…");
    else
      known.push_back(count == 1 ? gfx : fmt::format("{} x {}", count, gfx));
  }
  if (!known.empty()) c.pass(fmt::format("{}", fmt::join(known, ", ")));
}

}  // namespace

Check gpu_targets() {
  return {.name = "gpu-targets", .title = "GPUs are known targets", .run = run};
}

}  // namespace hipwright::ci::checks
