// SPDX-License-Identifier: MIT
// Memory of a GPU that no process owns: left by one that was killed, and kept until a reset.
#include <fmt/format.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

// What firmware and page tables take.
constexpr std::uint64_t kOwn = 1ULL << 30;

void run(Checkup& c) {
  if (!c.facts.processes || c.facts.cards.empty())
    return c.unknown(c.facts.cards.empty() ? "no AMD card in /sys/class/drm"
                                           : "the driver's list of processes cannot be read",
                     "Run it on the host, as root");
  std::uint64_t owned = 0, used = 0;
  for (const GpuProcess& process : *c.facts.processes)
    if (process.is_alive) owned += process.vram;
  for (const Card& card : c.facts.cards) {
    if (!card.vram_used || !card.vram_total)
      return c.unknown(card.name + " does not say how much VRAM is used",
                       "Look at: amd-smi monitor");
    // Integrated GPUs and displays use a part of a small carve-out all the time.
    used += *card.vram_used > kOwn ? *card.vram_used - kOwn : 0;
  }
  if (used <= owned + kOwn) return c.pass(gib(owned) + " in use, all of it owned");
  const std::string leak = gib(used - owned);
  if (c.facts.container.inside)
    return c.unknown(fmt::format("{} of VRAM belong to no process that is visible here", leak),
                     "Run it on the host: containers do not see others' processes");
  c.fail(fmt::format("{} of VRAM belong to no process", leak),
         owned > 0 ? "End the other GPU jobs first; then reset the GPU: sudo amd-smi reset "
                     "--gpureset --gpu all"
                   : "No process uses a GPU: sudo amd-smi reset --gpureset --gpu all, or reboot");
}

}  // namespace

Check leaked_vram() {
  return {.name = "leaked-vram", .title = "VRAM without an owner", .os = "linux", .run = run};
}

}  // namespace hipwright::ci::checks
