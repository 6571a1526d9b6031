// SPDX-License-Identifier: MIT
// Shuffles of bf16 between the lanes of a wave. Part of amd_hip_bf16.h.
// ROCm 6.4 has them with a mask only; 7.0 added those of one bf16 without a mask.
#pragma once

#include <hip/amd_detail/amd_warp_functions.h>
#include <hip/amd_detail/amd_warp_sync_functions.h>

#include <hip/amd_detail/bf16_convert.h>

#if __HW_ROCM >= 700 && defined(__clang__) && defined(__HIP__)

#define __hw_bf16_shuffle(name, lane_type)                                                       \
  __BF16_DEVICE_STATIC__ __hip_bfloat16 name(__hip_bfloat16 var, lane_type lane,                 \
                                             int width = warpSize) {                             \
    unsigned int bits = name(static_cast<unsigned int>(__bfloat16_as_ushort(var)), lane, width); \
    return __ushort_as_bfloat16(static_cast<unsigned short>(bits));                              \
  }

__hw_bf16_shuffle(__shfl, int);
__hw_bf16_shuffle(__shfl_up, unsigned int);
__hw_bf16_shuffle(__shfl_down, unsigned int);
__hw_bf16_shuffle(__shfl_xor, int);

#undef __hw_bf16_shuffle
#endif

#if defined(__HW_WARP_SYNC)

#define __hw_bf16_shuffle(name, lane_type)                                                      \
  __BF16_DEVICE_STATIC__ __hip_bfloat16 name(const unsigned long long mask,                     \
                                             const __hip_bfloat16 in, const lane_type delta,    \
                                             const int width = warpSize) {                      \
    unsigned int bits =                                                                         \
        name(mask, static_cast<unsigned int>(__bfloat16_as_ushort(in)), delta, width);          \
    return __ushort_as_bfloat16(static_cast<unsigned short>(bits));                             \
  }                                                                                             \
  __BF16_DEVICE_STATIC__ __hip_bfloat162 name(const unsigned long long mask,                    \
                                              const __hip_bfloat162 in, const lane_type delta,  \
                                              const int width = warpSize) {                     \
    return __hip_detail::bf162_of_bits(name(mask, __hip_detail::bf162_bits(in), delta, width)); \
  }

__hw_bf16_shuffle(__shfl_sync, int);
__hw_bf16_shuffle(__shfl_up_sync, unsigned int);
__hw_bf16_shuffle(__shfl_down_sync, unsigned int);
__hw_bf16_shuffle(__shfl_xor_sync, int);

#undef __hw_bf16_shuffle

#endif
