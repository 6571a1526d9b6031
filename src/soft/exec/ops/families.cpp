// SPDX-License-Identifier: MIT
// All operation families of one SIMD level.
#include "soft/exec/ops/families.h"

#include "soft/exec/ops/ops.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

void for_each_family(const std::function<void(std::span<const Op>)>& visit) {
  for (const std::span<const Op> family :
       {scalar_ops(),  scalar_float_ops(), control_ops(), smem_ops(),  move_ops(),
        integer_ops(), integer16_ops(),    compare_ops(), float_ops(), float16_ops(),
        convert_ops(), scaled_ops(),       special_ops(), cube_ops(),  lane_ops(),
        lds_ops(),     global_ops(),       buffer_ops(),  image_ops(), mfma_ops(),
        wmma_ops()})
    visit(family);
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
