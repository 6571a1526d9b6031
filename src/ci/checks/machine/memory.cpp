// SPDX-License-Identifier: MIT
// RAM against what the profile needs, and the cgroup's limit.
#include <fmt/format.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void run(Checkup& c) {
  if (!c.facts.memory_total) return c.unknown("the size of the memory is not known", "free -g");
  const std::uint64_t total = *c.facts.memory_total;
  // Firmware and integrated GPUs take a part of what is built in.
  const double wanted = c.profile.memory_gib * 0.93;
  if (static_cast<double>(total) / (1ULL << 30) < wanted)
    return c.fail(fmt::format("{} of RAM; {} needs {:.0f} GiB", gib(total), c.profile.name,
                              c.profile.memory_gib),
                  "Add memory, or limit parallel jobs: MAX_JOBS=4");
  if (c.facts.memory_limit && *c.facts.memory_limit < total) {
    const std::string limit =
        fmt::format("the cgroup limits memory to {} of {}", gib(*c.facts.memory_limit), gib(total));
    if (static_cast<double>(*c.facts.memory_limit) / (1ULL << 30) < wanted)
      return c.fail(limit, "Raise the limit (docker run --memory), or lower MAX_JOBS");
    return c.pass(limit);
  }
  c.pass(gib(total) + " of RAM");
}

}  // namespace

Check memory() {
  return {.name = "memory", .title = "Memory", .run = run};
}

}  // namespace hipwright::ci::checks
