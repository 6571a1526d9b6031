// SPDX-License-Identifier: MIT
// Shuffles of bf16 between the lanes of a wave. Part of amd_hip_bf16.h.
// ROCm 6.4 has them with a mask only, and only with HIP_ENABLE_WARP_SYNC_BUILTINS.
#pragma once

#include <hip/amd_detail/amd_warp_functions.h>
#include <hip/amd_detail/amd_warp_sync_functions.h>

#include <hip/amd_detail/bf16_convert.h>

#if defined(HIP_ENABLE_WARP_SYNC_BUILTINS)

#define __hw_bf16_shuffle(name, lane_type)                                                      \
  __BF16_DEVICE_STATIC__ __hip_bfloat16 name(const unsigned long long mask,                     \
                                             const __hip_bfloat16 in, const lane_type delta,    \
                                             const int width = __AMDGCN_WAVEFRONT_SIZE) {       \
    unsigned int bits =                                                                         \
        name(mask, static_cast<unsigned int>(__bfloat16_as_ushort(in)), delta, width);          \
    return __ushort_as_bfloat16(static_cast<unsigned short>(bits));                             \
  }                                                                                             \
  __BF16_DEVICE_STATIC__ __hip_bfloat162 name(const unsigned long long mask,                    \
                                              const __hip_bfloat162 in, const lane_type delta,  \
                                              const int width = __AMDGCN_WAVEFRONT_SIZE) {      \
    return __hip_detail::bf162_of_bits(name(mask, __hip_detail::bf162_bits(in), delta, width)); \
  }

__hw_bf16_shuffle(__shfl_sync, int);
__hw_bf16_shuffle(__shfl_up_sync, unsigned int);
__hw_bf16_shuffle(__shfl_down_sync, unsigned int);
__hw_bf16_shuffle(__shfl_xor_sync, int);

#undef __hw_bf16_shuffle

#endif
