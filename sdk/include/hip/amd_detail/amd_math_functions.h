// SPDX-License-Identifier: MIT
// Mixed-precision dot products. The math functions themselves come from clang's __clang_hip_math.h.
#pragma once

#if !defined(__HIPCC_RTC__)
#include <limits.h>
#include <stdint.h>

#include <algorithm>
#include <limits>
// On the device assert() is hip_assert.h's.
#if !__HIP_DEVICE_COMPILE__
#include <assert.h>
#endif
#endif

#include <hip/amd_detail/amd_hip_vector_types.h>
#include <hip/amd_detail/host_defines.h>

#if defined(__clang__) && defined(__HIP__)

extern "C" {
__device__ __attribute__((const)) int __ockl_sdot2(short2::Native_vec_, short2::Native_vec_, int,
                                                   bool);
__device__ __attribute__((const)) unsigned int __ockl_udot2(ushort2::Native_vec_,
                                                            ushort2::Native_vec_, unsigned int,
                                                            bool);
__device__ __attribute__((const)) int __ockl_sdot4(char4::Native_vec_, char4::Native_vec_, int,
                                                   bool);
__device__ __attribute__((const)) unsigned int __ockl_udot4(uchar4::Native_vec_,
                                                            uchar4::Native_vec_, unsigned int,
                                                            bool);
__device__ __attribute__((const)) int __ockl_sdot8(int, int, int, bool);
__device__ __attribute__((const)) unsigned int __ockl_udot8(unsigned int, unsigned int,
                                                            unsigned int, bool);
}

namespace __hip_detail {

template <typename T>
__device__ inline T add_products(T c, long long products, bool saturate) {
  long long sum = c + products;
  long long lowest = T(-1) < T(0) ? -0x80000000ll : 0,
            highest = T(-1) < T(0) ? 0x7fffffff : 0xffffffff;
  if (saturate) sum = sum < lowest ? lowest : sum > highest ? highest : sum;
  return static_cast<T>(sum);
}

__device__ inline int as_int(char4 v) {
  return __builtin_bit_cast(int, v);
}
__device__ inline unsigned int as_uint(uchar4 v) {
  return __builtin_bit_cast(unsigned int, v);
}

}  // namespace __hip_detail

// The instruction's saturate flag is part of its encoding.
#define __hw_dot(instruction, ...)                             \
  saturate ? __builtin_amdgcn_##instruction(__VA_ARGS__, true) \
           : __builtin_amdgcn_##instruction(__VA_ARGS__, false)

// c plus the products of the elements of a and b: two shorts, four chars, eight 4-bit numbers. Not
// with the device library's __ockl_*dot*, which in Debian's version have an instruction in mind
// that gfx11 and later lack.

static __device__ inline int amd_mixed_dot(short2 a, short2 b, int c, bool saturate) {
#if __has_builtin(__builtin_amdgcn_sdot2)
  return __hw_dot(sdot2, __hw_native(a), __hw_native(b), c);
#else
  return __hip_detail::add_products(c, 1ll * a.x * b.x + 1ll * a.y * b.y, saturate);
#endif
}
static __device__ inline unsigned int amd_mixed_dot(ushort2 a, ushort2 b, unsigned int c,
                                                    bool saturate) {
#if __has_builtin(__builtin_amdgcn_udot2)
  return __hw_dot(udot2, __hw_native(a), __hw_native(b), c);
#else
  return __hip_detail::add_products(c, 1ll * a.x * b.x + 1ll * a.y * b.y, saturate);
#endif
}
static __device__ inline int amd_mixed_dot(char4 a, char4 b, int c, bool saturate) {
#if __has_builtin(__builtin_amdgcn_sdot4)
  return __hw_dot(sdot4, __hip_detail::as_int(a), __hip_detail::as_int(b), c);
#elif __has_builtin(__builtin_amdgcn_sudot4)
  return __hw_dot(sudot4, true, __hip_detail::as_int(a), true, __hip_detail::as_int(b), c);
#else
  return __hip_detail::add_products(c, a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w, saturate);
#endif
}
static __device__ inline unsigned int amd_mixed_dot(uchar4 a, uchar4 b, unsigned int c,
                                                    bool saturate) {
#if __has_builtin(__builtin_amdgcn_udot4)
  return __hw_dot(udot4, __hip_detail::as_uint(a), __hip_detail::as_uint(b), c);
#else
  return __hip_detail::add_products(c, a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w, saturate);
#endif
}
static __device__ inline int amd_mixed_dot(int a, int b, int c, bool saturate) {
#if __has_builtin(__builtin_amdgcn_sdot8)
  return __hw_dot(sdot8, a, b, c);
#elif __has_builtin(__builtin_amdgcn_sudot8)
  return __hw_dot(sudot8, true, a, true, b, c);
#else
  int products = 0;
  for (int i = 0; i != 32; i += 4)
    products += (static_cast<int>(static_cast<unsigned int>(a) << (28 - i)) >> 28) *
                (static_cast<int>(static_cast<unsigned int>(b) << (28 - i)) >> 28);
  return __hip_detail::add_products(c, products, saturate);
#endif
}
static __device__ inline unsigned int amd_mixed_dot(unsigned int a, unsigned int b, unsigned int c,
                                                    bool saturate) {
#if __has_builtin(__builtin_amdgcn_udot8)
  return __hw_dot(udot8, a, b, c);
#else
  unsigned int products = 0;
  for (int i = 0; i != 32; i += 4) products += ((a >> i) & 15) * ((b >> i) & 15);
  return __hip_detail::add_products(c, products, saturate);
#endif
}

#undef __hw_dot

#endif
