// SPDX-License-Identifier: MIT
// The first ROCm release whose release notes list the target.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

struct First {
  std::string_view gfx;
  std::vector<unsigned> release;
};

const First kFirst[] = {
    {"gfx942", {6, 0}}, {"gfx950", {7, 0}}, {"gfx1200", {6, 4, 1}}, {"gfx1201", {6, 4, 1}}};

void run(Checkup& c) {
  const std::vector<unsigned> version = version_numbers(c.facts.rocm_version);
  const auto gpus = gpus_of(c.facts);
  if (version.empty() || gpus.empty())
    return c.unknown(version.empty() ? "the version of ROCm is not known" : "no GPU found",
                     "See the results for rocm and gpu-targets");
  for (const First& first : kFirst)
    for (const GpuSeen& gpu : gpus)
      if (gpu.gfx == first.gfx && version < first.release)
        return c.warn(fmt::format("AMD's release notes list {} from ROCm {} on; this is {}",
                                  gpu.gfx, fmt::join(first.release, "."), c.facts.rocm_version),
                      "Install a newer ROCm");
  c.pass(fmt::format("ROCm {} is not older than the GPUs' support", c.facts.rocm_version));
}

}  // namespace

Check rocm_version() {
  return {.name = "rocm-version", .title = "ROCm knows the GPUs", .os = "linux", .run = run};
}

}  // namespace hipwright::ci::checks
