// SPDX-License-Identifier: MIT
// Variables that hide GPUs from programs.
#include <algorithm>

#include <fmt/format.h>

#include "base/words.h"
#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

unsigned entries(std::string_view list) {
  return list.empty() ? 0U : static_cast<unsigned>(std::ranges::count(list, ',')) + 1;
}

void check_list(Checkup& c, const char* name, std::string_view value, std::size_t gpus) {
  if (trimmed(value).empty() || trimmed(value) == "-1")
    return c.fail(fmt::format("{}=\"{}\" hides every GPU", name, value),
                  fmt::format("unset {}", name));
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find(',', at), value.size());
    const std::string_view entry = trimmed(value.substr(at, end - at));
    at = end + 1;
    const bool is_number =
        !entry.empty() && std::ranges::all_of(entry, [](char d) { return d >= '0' && d <= '9'; });
    if (is_number && version_numbers(entry).front() >= gpus)
      return c.fail(
          fmt::format("{}={} names device {}, and there are {}", name, value, entry, gpus),
          fmt::format("unset {}", name));
  }
  c.pass(fmt::format("{}={}", name, value));
}

void run(Checkup& c) {
  const std::size_t gpus = gpus_of(c.facts).size();
  bool any = false;
  for (const char* name : {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES",
                           "GPU_DEVICE_ORDINAL"}) {
    if (!c.facts.environment.contains(name)) continue;
    any = true;
    if (gpus == 0 && !variable(c.facts, name).empty())
      c.unknown(fmt::format("{}={}, and no GPU was found", name, variable(c.facts, name)),
                "See the result for gpu-targets");
    else
      check_list(c, name, variable(c.facts, name), gpus);
  }
  const auto rocr = variable(c.facts, "ROCR_VISIBLE_DEVICES");
  const auto hip = variable(c.facts, "HIP_VISIBLE_DEVICES");
  if (!rocr.empty() && !hip.empty() && entries(rocr) < gpus)
    c.warn("HIP_VISIBLE_DEVICES counts among the devices that ROCR_VISIBLE_DEVICES leaves",
           "Set only one of the two");
  if (!any) c.pass("no variable hides GPUs");
}

}  // namespace

Check visible_devices() {
  return {.name = "visible-devices", .title = "Visible devices", .run = run};
}

}  // namespace hipwright::ci::checks
