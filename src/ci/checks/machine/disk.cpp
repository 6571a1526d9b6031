// SPDX-License-Identifier: MIT
// Disk size against what the profile needs, and what is free.
#include <algorithm>

#include <fmt/format.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

constexpr std::uint64_t kGib = 1ULL << 30;

std::string cleanup(const HostFacts& facts) {
  return facts.os == "windows"
             ? "cleanmgr /verylowdisk, and turn on Storage Sense"
             : "docker system prune -f; rm -rf ~/.cache/pip; remove the runner's old _work "
               "directories";
}

void run(Checkup& c) {
  if (c.facts.disks.empty()) return c.unknown("no disk was probed", "df -h");
  std::uint64_t largest = 0;
  for (const Disk& disk : c.facts.disks) {
    largest = std::max(largest, disk.total);
    if (disk.free < 10 * kGib)
      c.need(fmt::format("{}: {} free of {}", disk.path, gib(disk.free), gib(disk.total)),
             cleanup(c.facts));
    else if (c.profile.is_runner && disk.free < 40 * kGib)
      c.warn(fmt::format("{}: {} free of {}; a ROCm build with its caches takes 40", disk.path,
                         gib(disk.free), gib(disk.total)),
             cleanup(c.facts));
    else
      c.pass(fmt::format("{}: {} free of {}", disk.path, gib(disk.free), gib(disk.total)));
  }
  // Vendors count 10^9 bytes.
  if (static_cast<double>(largest) < c.profile.disk_gib * 0.9e9)
    c.fail(fmt::format("the largest disk has {}; {} needs {:.0f} GB", gib(largest), c.profile.name,
                       c.profile.disk_gib),
           "Add a disk for the runner's _work directory");
}

}  // namespace

Check disk() {
  return {.name = "disk", .title = "Disk", .run = run};
}

}  // namespace hipwright::ci::checks
