// SPDX-License-Identifier: MIT
#include "runtime/config/architecture.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "arch/names.h"
#include "arch/target.h"

namespace hipwright {

std::string_view to_string(AMDArchitecture architecture) {
  switch (architecture) {
    case AMDArchitecture::AUTO:
      return "AUTO";
    case AMDArchitecture::CDNA:
      return "CDNA";
    case AMDArchitecture::CDNA2:
      return "CDNA2";
    case AMDArchitecture::CDNA3:
      return "CDNA3";
    case AMDArchitecture::CDNA4:
      return "CDNA4";
    case AMDArchitecture::RDNA2:
      return "RDNA2";
    case AMDArchitecture::RDNA3:
      return "RDNA3";
    case AMDArchitecture::RDNA4:
      return "RDNA4";
  }
  return "?";  // not a value of the enumeration
}

namespace runtime {

namespace {

constexpr std::array kArchitectures = {
    AMDArchitecture::AUTO,  AMDArchitecture::CDNA,  AMDArchitecture::CDNA2, AMDArchitecture::CDNA3,
    AMDArchitecture::CDNA4, AMDArchitecture::RDNA2, AMDArchitecture::RDNA3, AMDArchitecture::RDNA4};

}  // namespace

AMDArchitecture architecture_of(arch::Family family) {
  switch (family) {
    case arch::Family::kCdna1:
      return AMDArchitecture::CDNA;
    case arch::Family::kCdna2:
      return AMDArchitecture::CDNA2;
    case arch::Family::kCdna3:
      return AMDArchitecture::CDNA3;
    case arch::Family::kCdna4:
      return AMDArchitecture::CDNA4;
    case arch::Family::kRdna2:
      return AMDArchitecture::RDNA2;
    case arch::Family::kRdna3:
    case arch::Family::kRdna3_5:
      return AMDArchitecture::RDNA3;
    case arch::Family::kRdna4:
      return AMDArchitecture::RDNA4;
    case arch::Family::kGcn5:
    case arch::Family::kCdna5:
    case arch::Family::kRdna1:
      return AMDArchitecture::AUTO;
  }
  bug("family out of range", __FILE__, __LINE__);
}

const arch::ArchInfo* first_target(AMDArchitecture architecture) {
  if (architecture == AMDArchitecture::AUTO) return nullptr;
  for (const arch::ArchInfo& info : arch::all())
    if (architecture_of(info.family) == architecture) return &info;
  return nullptr;
}

std::expected<AMDArchitecture, std::string> parse_architecture(std::string_view text) {
  const std::string name = arch::lower_case(text);
  for (const AMDArchitecture architecture : kArchitectures)
    if (name == arch::lower_case(to_string(architecture))) return architecture;
  if (name == "cdna1") return AMDArchitecture::CDNA;
  if (name == "rdna3.5") return AMDArchitecture::RDNA3;

  auto target = arch::parse_target(text);
  // "MI300" names a family, not a product.
  if (const auto candidates = arch::products_starting_with(text); !target && !candidates.empty())
    if (const auto first = arch::parse_target(candidates.front());
        first && std::ranges::all_of(candidates, [&](std::string_view candidate) {
          const auto other = arch::parse_target(candidate);
          return other && other->info->family == first->info->family;
        }))
      target = first;
  if (!target)
    return std::unexpected(
        fmt::format("{} ({}. {})", kArchitectureNames, target.error().why, target.error().fix));
  const arch::ArchInfo& info = *target->info;
  const AMDArchitecture architecture = architecture_of(info.family);
  if (architecture == AMDArchitecture::AUTO)
    return std::unexpected(fmt::format("auto: {} is {}, which has no settings of its own", info.gfx,
                                       info.architecture.value));
  return architecture;
}

}  // namespace runtime

}  // namespace hipwright
