// SPDX-License-Identifier: MIT
// HSA_OVERRIDE_GFX_VERSION runs code for one target on another. It is a way out for GPUs that a
// release lacks, and wrong elsewhere.
#include <fmt/format.h>

#include "arch/arch.h"
#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

// "11.0.0" is gfx1100, "9.0.10" is gfx90a.
std::string target_of(std::string_view version) {
  const std::vector<unsigned> parts = version_numbers(version);
  if (parts.size() != 3) return {};
  return fmt::format("gfx{}{:x}{:x}", parts[0], parts[1], parts[2]);
}

void compare(Checkup& c, std::string_view name, const std::string& target) {
  for (const KfdGpu& gpu : c.facts.kfd) {
    const arch::ArchInfo* real = arch::find(gpu.gfx);
    const arch::ArchInfo* other = arch::find(target);
    if (gpu.gfx == target) continue;
    if (real != nullptr && other != nullptr &&
        (real->family != other->family || real->default_wave_size() != other->default_wave_size()))
      return c.fail(fmt::format("{} makes {} run code for {}, of another architecture", name,
                                gpu.gfx, target),
                    fmt::format("unset {}", name));
    return c.warn(fmt::format("{} makes {} run code for {}, which may compute "
                              "wrong results",
                              name, gpu.gfx, target),
                  fmt::format("unset {}, and build for {}", name, gpu.gfx));
  }
  if (c.facts.kfd.empty())
    c.unknown(fmt::format("{} is set, and the driver does not say which GPU is here", name),
              fmt::format("unset {}", name));
  else
    c.warn(fmt::format("{} is set to the target that the GPU has anyway", name),
           fmt::format("unset {}", name));
}

void run(Checkup& c) {
  bool any = false;
  for (const auto& [name, value] : c.facts.environment) {
    if (!name.starts_with("HSA_OVERRIDE_GFX_VERSION") || value.empty()) continue;
    any = true;
    const std::string target = target_of(value);
    if (target.empty())
      c.fail(fmt::format("{}={} is not a version such as 11.0.0", name, value),
             fmt::format("unset {}", name));
    else
      compare(c, name, target);
  }
  if (!any) c.pass("not set");
}

}  // namespace

Check gfx_override() {
  return {.name = "gfx-override", .title = "HSA_OVERRIDE_GFX_VERSION", .os = "linux", .run = run};
}

}  // namespace hipwright::ci::checks
