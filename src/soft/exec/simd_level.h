// SPDX-License-Identifier: MIT
// The levels that the operations are compiled for; all give the same bits.
#pragma once

#include <cstdint>
#include <string_view>

#include "soft/exec/inst.h"

namespace hipwright::soft {

enum class SimdLevel : std::uint8_t { kGeneric, kAvx2 };

// The best level that this machine has; HIPWRIGHT_SOFT_SIMD=generic selects the other one.
SimdLevel best_simd_level();

// The operation with this canonical name at a level that this machine has; nullptr if there is
// none.
const Op* find_op(std::string_view name, SimdLevel level);

}  // namespace hipwright::soft
