// SPDX-License-Identifier: MIT
// The number of lanes in a warp: 32 in CUDA, 64 or 32 on AMD GPUs.
#pragma once

#include "port/source/context.h"

namespace hipwright::port {

constexpr std::string_view kWarpOf32 = "a warp of 32 lanes is half a wave where waves have 64";

void keep_warps_of_32(SourceContext& context);

// Of these: what asks for the number of lanes.
void keep_size_of_32(SourceContext& context);
// Groups that libraries make of the lanes of a wave: CUB's warps, coalesced threads.
void keep_groups_of_32(SourceContext& context);

}  // namespace hipwright::port
