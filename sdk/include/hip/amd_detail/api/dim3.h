// SPDX-License-Identifier: MIT
// Sizes of grids and blocks.
#pragma once

#include <hip/amd_detail/host_defines.h>
#if !defined(__HIPCC_RTC__)
#include <stdint.h>
#endif

typedef struct dim3 {
#if defined(__HIPCC_RTC__)
  __hip_uint32_t x, y, z;
  constexpr __device__ dim3(__hip_uint32_t _x = 1, __hip_uint32_t _y = 1, __hip_uint32_t _z = 1)
      : x(_x), y(_y), z(_z) {}
#else
  uint32_t x, y, z;
#if defined(__cplusplus)
  constexpr __host__ __device__ dim3(uint32_t _x = 1, uint32_t _y = 1, uint32_t _z = 1)
      : x(_x), y(_y), z(_z) {}
#endif
#endif
} dim3;
