// SPDX-License-Identifier: MIT
// Which targets the software GPU has; in a header of its own, so that the tool can list them
// without linking it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arch/target.h"
#include "soft/exec/isa.h"

namespace hipwright::soft {

// A family has one instruction set; nothing: it has one that the software GPU lacks.
constexpr std::optional<Isa> isa_of(arch::Family family) {
  switch (family) {
    case arch::Family::kCdna1:
      return Isa::kGfx908;
    case arch::Family::kCdna2:
      return Isa::kGfx90a;
    case arch::Family::kCdna3:
      return Isa::kGfx942;
    case arch::Family::kCdna4:
      return Isa::kGfx950;
    case arch::Family::kRdna2:
      return Isa::kGfx10;
    case arch::Family::kRdna3:
    case arch::Family::kRdna3_5:
      return Isa::kGfx11;
    case arch::Family::kRdna4:
      return Isa::kGfx12;
    default:
      return std::nullopt;
  }
}

// Of a processor or a generic target, by its gfx name.
inline std::optional<Isa> isa_of(std::string_view target) {
  const auto parsed = arch::parse_target(target);
  return parsed ? isa_of(parsed->info->family) : std::nullopt;
}

// Whether the software GPU can be this device; a generic target is not a device.
inline bool is_supported(const arch::Target& target) {
  return !target.is_generic() && isa_of(target.info->family);
}
// The processors that it can be, ascending.
inline std::vector<std::string> supported_targets() {
  std::vector<std::string> targets;
  for (const arch::ArchInfo& info : arch::all())
    if (isa_of(info.family)) targets.emplace_back(info.gfx);
  return targets;
}

// "gfx90a, gfx942 and gfx1100".
inline std::string supported_targets_text() {
  const std::vector<std::string> targets = supported_targets();
  std::string list;
  for (const std::string& target : targets) {
    if (!list.empty()) list += target == targets.back() ? " and " : ", ";
    list += target;
  }
  return list;
}

}  // namespace hipwright::soft
