// SPDX-License-Identifier: MIT
// The first ROCm release whose release notes list the target.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arch/rocm_releases.h"
#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void run(Checkup& c) {
  const std::vector<unsigned> version = version_numbers(c.facts.rocm_version);
  const auto gpus = gpus_of(c.facts);
  if (version.empty() || gpus.empty())
    return c.unknown(version.empty() ? "the version of ROCm is not known" : "no GPU found",
                     "See the results for rocm and gpu-targets");
  for (const GpuSeen& gpu : gpus) {
    const auto first = arch::first_rocm_release(gpu.gfx);
    if (std::ranges::lexicographical_compare(version, first))
      return c.warn(fmt::format("AMD's release notes list {} from ROCm {} on; this is {}", gpu.gfx,
                                fmt::join(first, "."), c.facts.rocm_version),
                    "Install a newer ROCm");
  }
  c.pass(fmt::format("ROCm {} is not older than the GPUs' support", c.facts.rocm_version));
}

}  // namespace

Check rocm_version() {
  return {.name = "rocm-version", .title = "ROCm knows the GPUs", .os = "linux", .run = run};
}

}  // namespace hipwright::ci::checks
