// SPDX-License-Identifier: MIT
// Between the names of AMDArchitecture and the table of targets.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "arch/arch.h"
#include "hipwright/config.h"

namespace hipwright::runtime {

constexpr std::string_view kArchitectureNames =
    "auto, CDNA, CDNA2, CDNA3, CDNA4, RDNA2, RDNA3, RDNA4, a gfx target or a product name";

// AUTO where AMDArchitecture has no name for the family: GCN5, RDNA1, CDNA5.
AMDArchitecture architecture_of(arch::Family family);

// The family's first target; nullptr for AUTO.
const arch::ArchInfo* first_target(AMDArchitecture architecture);

// "auto", "CDNA3", "gfx942", "MI300X", in any case. The error completes "must be …".
std::expected<AMDArchitecture, std::string> parse_architecture(std::string_view text);

}  // namespace hipwright::runtime
