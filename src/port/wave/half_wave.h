// SPDX-License-Identifier: MIT
// Warps that stay 32 lanes, half of a 64-lane wave.
#pragma once

#include "port/source/context.h"

namespace hipwright::port {

constexpr std::string_view kWarpOf32 = "a 32-lane warp is half a 64-lane wave";

// Or are they whole waves, by this port or by what the file already has?
bool keeps_warps_of_32(const SourceContext& context);
// Queries of the number of lanes.
void keep_size_of_32(SourceContext& context);
// Groups that libraries form of the lanes of a wave: CUB's warps, coalesced threads.
void keep_groups_of_32(SourceContext& context);

}  // namespace hipwright::port
