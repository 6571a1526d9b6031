// SPDX-License-Identifier: MIT
// An integrated GPU beside a discrete one: programs that take the first device, or allocate on all,
// fail on it.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

bool restricted(const HostFacts& facts) {
  for (const char* name : {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"})
    if (!variable(facts, name).empty()) return true;
  return false;
}

void run(Checkup& c) {
  std::vector<std::string> kinds;
  bool apu = false, discrete = false;
  for (const GpuSeen& gpu : gpus_of(c.facts)) {
    if (std::ranges::find(kinds, gpu.gfx) == kinds.end()) kinds.push_back(gpu.gfx);
    (gpu.is_apu ? apu : discrete) = true;
  }
  const std::string all = fmt::format("{}", fmt::join(kinds, " and "));
  if (kinds.size() < 2) return c.pass(kinds.empty() ? "no GPU" : "all GPUs are " + all);
  if (restricted(c.facts)) return c.pass(all + ", and the visible devices are restricted");
  if (apu && discrete)
    return c.warn(fmt::format("{}: an integrated GPU beside a discrete one", all),
                  "Hide the integrated one: export ROCR_VISIBLE_DEVICES=0 (number as in "
                  "rocminfo), or disable it in the BIOS");
  c.warn(fmt::format("GPUs of different targets: {}", all),
         "Build for all of them, or restrict jobs with ROCR_VISIBLE_DEVICES");
}

}  // namespace

Check mixed_gpus() {
  return {.name = "mixed-gpus", .title = "Integrated beside discrete GPUs", .run = run};
}

}  // namespace hipwright::ci::checks
