// SPDX-License-Identifier: MIT
// Which devices the software GPU can be; apart, so that the tool need not link it to say so.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace hipwright::soft::hip {

constexpr std::array<std::string_view, 13> kTargets = {
    "gfx90a",  "gfx942",  "gfx950",  "gfx1100", "gfx1101", "gfx1102", "gfx1103",
    "gfx1150", "gfx1151", "gfx1152", "gfx1153", "gfx1200", "gfx1201"};

inline bool is_supported(std::string_view processor) {
  return std::ranges::find(kTargets, processor) != kTargets.end();
}
inline std::string supported_targets() {
  std::string list;
  for (const std::string_view target : kTargets) {
    if (!list.empty()) list += target == kTargets.back() ? " and " : ", ";
    list += target;
  }
  return list;
}

}  // namespace hipwright::soft::hip
