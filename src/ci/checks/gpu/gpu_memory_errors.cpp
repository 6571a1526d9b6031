// SPDX-License-Identifier: MIT
// Uncorrectable memory errors, as the driver counts them.
#include <fmt/format.h>

#include "base/words.h"
#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void run(Checkup& c) {
  bool counted_any = false;
  std::string log;
  if (c.facts.kernel_log)
    for (const std::string& line : *c.facts.kernel_log)
      if (has_any(line, {"uncorrectable", "poison"}) && log.empty()) log = line;
  for (const Card& card : c.facts.cards) {
    if (!card.uncorrectable_errors) continue;
    counted_any = true;
    if (*card.uncorrectable_errors > 0)
      return c.fail(fmt::format("{} ({}) counts {} uncorrectable memory errors", card.name,
                                card.pci, *card.uncorrectable_errors),
                    "Take the GPU out of service: amd-smi metric --ecc; reboot, and replace it if "
                    "they return");
  }
  if (!log.empty()) return c.warn("the kernel log: " + log, "amd-smi metric --ecc");
  if (counted_any) return c.pass("no uncorrectable memory errors");
  c.unknown("the driver counts no memory errors (normal for Radeon)", "amd-smi metric --ecc");
}

}  // namespace

Check gpu_memory_errors() {
  return {.name = "gpu-memory-errors", .title = "ECC errors", .os = "linux", .run = run};
}

}  // namespace hipwright::ci::checks
