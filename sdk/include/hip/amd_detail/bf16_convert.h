// SPDX-License-Identifier: MIT
// Conversions, bit casts and lane moves of bf16. Part of amd_hip_bf16.h.
#pragma once

#include <hip/amd_detail/bf16_types.h>

namespace __hip_detail {

// Both lanes as one register, for instructions that take them so.
__BF16_HOST_DEVICE__ inline unsigned int bf162_bits(__hip_bfloat162 value) {
  __hip_bfloat162_raw raw = value;
  return __builtin_bit_cast(unsigned int, raw);
}
__BF16_HOST_DEVICE__ inline __hip_bfloat162 bf162_of_bits(unsigned int bits) {
  return __builtin_bit_cast(__hip_bfloat162_raw, bits);
}

}  // namespace __hip_detail

// Bits

__BF16_HOST_DEVICE_STATIC__ unsigned short int __bfloat16_as_ushort(const __hip_bfloat16 h) {
  return static_cast<__hip_bfloat16_raw>(h).x;
}
__BF16_HOST_DEVICE_STATIC__ short int __bfloat16_as_short(const __hip_bfloat16 h) {
  return static_cast<short>(__bfloat16_as_ushort(h));
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat16 __ushort_as_bfloat16(const unsigned short int a) {
  return __hip_bfloat16_raw{a};
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat16 __short_as_bfloat16(const short int a) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(a));
}

// Numbers

__BF16_HOST_DEVICE_STATIC__ float __bfloat162float(__hip_bfloat16 a) {
  return a;
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat16 __float2bfloat16(float f) {
  return f;
}
#if __HW_ROCM >= 700
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat16 __int2bfloat16_rn(const int a) {
  return __hip_bfloat16(a);
}
#endif
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat16 __double2bfloat16(const double a) {
  return a;
}
__BF16_HOST_DEVICE_STATIC__ float2 __bfloat1622float2(const __hip_bfloat162 a) {
  return a;
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat162 __float22bfloat162_rn(const float2 a) {
#if __HIP_DEVICE_COMPILE__
  typedef float float_pair __attribute__((ext_vector_type(2)));
  typedef __bf16 bf16_pair __attribute__((ext_vector_type(2)));
  bf16_pair both = __builtin_convertvector((float_pair{a.x, a.y}), bf16_pair);
  return __hip_detail::bf162_of_bits(__builtin_bit_cast(unsigned int, both));
#else
  return __hip_bfloat162(__float2bfloat16(a.x), __float2bfloat16(a.y));
#endif
}

// Lanes of a __hip_bfloat162

__BF16_HOST_DEVICE_STATIC__ __hip_bfloat162 __bfloat162bfloat162(const __hip_bfloat16 a) {
  return __hip_bfloat162(a, a);
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat162 __halves2bfloat162(const __hip_bfloat16 a,
                                                               const __hip_bfloat16 b) {
  return __hip_bfloat162(a, b);
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat16 __low2bfloat16(const __hip_bfloat162 a) {
  return a.x;
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat16 __high2bfloat16(const __hip_bfloat162 a) {
  return a.y;
}
__BF16_HOST_DEVICE_STATIC__ float __low2float(const __hip_bfloat162 a) {
  return a.x;
}
__BF16_HOST_DEVICE_STATIC__ float __high2float(const __hip_bfloat162 a) {
  return a.y;
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat162 __low2bfloat162(const __hip_bfloat162 a) {
  return __hip_bfloat162(a.x, a.x);
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat162 __high2bfloat162(const __hip_bfloat162 a) {
  return __hip_bfloat162(a.y, a.y);
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat162 __lowhigh2highlow(const __hip_bfloat162 a) {
  return __hip_bfloat162(a.y, a.x);
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat162 __lows2bfloat162(const __hip_bfloat162 a,
                                                             const __hip_bfloat162 b) {
  return __hip_bfloat162(a.x, b.x);
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat162 __highs2bfloat162(const __hip_bfloat162 a,
                                                              const __hip_bfloat162 b) {
  return __hip_bfloat162(a.y, b.y);
}
