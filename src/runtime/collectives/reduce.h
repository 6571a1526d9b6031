// SPDX-License-Identifier: MIT
// Reductions in host memory.
#pragma once

#include <cstddef>
#include <span>

#include "hipwright/multi_gpu.h"

namespace hipwright::runtime {

// One input per rank, in the order of the ranks. `output` may be one of the inputs.
//
// Integers wrap. BOOL counts 0 and 1: a sum is "or", a product "and". F16, BF16 and F8 are computed
// in float and rounded once, at the end, to the nearest, ties to even; an F8 result that is too
// large becomes the largest finite number, as in NCCL. Min and max prefer a number to a NaN.
void reduce(DataType type, Reduction reduction, std::span<const void* const> inputs, void* output,
            std::size_t elements);

}  // namespace hipwright::runtime
