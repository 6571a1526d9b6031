// SPDX-License-Identifier: MIT
// The number of lanes in a warp: 32 in CUDA, 64 or 32 on AMD GPUs.
#pragma once

#include "port/source/context.h"

namespace hipwright::port {

void keep_warps_of_32(SourceContext& context);

}  // namespace hipwright::port
