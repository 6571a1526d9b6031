// SPDX-License-Identifier: MIT
// Shuffles of fp16 between the lanes of a wave. Part of amd_hip_fp16.h.
#pragma once

#include <hip/amd_detail/amd_warp_functions.h>

#include <hip/amd_detail/half_convert.h>

#define __hw_half_shuffle(name, lane_type)                                                         \
  __device__ inline __half name(__half value, lane_type lane, int width = warpSize) {              \
    return __hip_detail::half_of_bits(                                                             \
        name(static_cast<int>(__half_as_ushort(value)), lane, width));                             \
  }                                                                                                \
  __device__ inline __half2 name(__half2 value, lane_type lane, int width = warpSize) {            \
    return __builtin_bit_cast(_Float16_2, name(__builtin_bit_cast(int, value.data), lane, width)); \
  }

__hw_half_shuffle(__shfl, int);
__hw_half_shuffle(__shfl_up, unsigned int);
__hw_half_shuffle(__shfl_down, unsigned int);
__hw_half_shuffle(__shfl_xor, int);

#undef __hw_half_shuffle
