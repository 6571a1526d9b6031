// SPDX-License-Identifier: MIT
// Conversions, bit casts, lane moves and loads of fp16. Part of amd_hip_fp16.h.
#pragma once

#include <hip/amd_detail/amd_hip_vector_types.h>

#include <hip/amd_detail/half_types.h>

namespace __hip_detail {

__HOST_DEVICE__ inline _Float16 half_value(__half value) {
  return static_cast<__half_raw>(value).data;
}
__HOST_DEVICE__ inline __half half_of_bits(int bits) {
  __half_raw raw;
  raw.x = static_cast<unsigned short>(bits);
  return raw;
}

// The directed roundings start from the nearest half: it has the sign of `value`, and at most one
// step towards or away from zero is missing, over infinity and zero too. A NaN takes no step.
__HOST_DEVICE__ inline __half half_step(float value, bool too_large, bool too_small) {
  __half_raw nearest{static_cast<_Float16>(value)};
  return half_of_bits(nearest.x - too_large + too_small);
}
__HOST_DEVICE__ inline __half half_toward_zero(float value) {
  float nearest = static_cast<float>(static_cast<_Float16>(value));
  return half_step(value, __builtin_fabsf(nearest) > __builtin_fabsf(value), false);
}
__HOST_DEVICE__ inline __half half_down(float value) {
  float nearest = static_cast<float>(static_cast<_Float16>(value));
  return half_step(value, nearest > value && value > 0, nearest > value && value < 0);
}
__HOST_DEVICE__ inline __half half_up(float value) {
  float nearest = static_cast<float>(static_cast<_Float16>(value));
  return half_step(value, nearest < value && value < 0, nearest < value && value > 0);
}

}  // namespace __hip_detail

// ROCm 6.4 has the functions of fp16 in an unnamed namespace.
namespace {

// Lanes of a __half2

inline __HOST_DEVICE__ __half2 make_half2(__half x, __half y) {
  return __half2{x, y};
}
inline __HOST_DEVICE__ __half2 __halves2half2(__half x, __half y) {
  return __half2{x, y};
}
inline __HOST_DEVICE__ __half2 __half2half2(__half x) {
  return __half2{x, x};
}
inline __HOST_DEVICE__ __half __low2half(__half2 x) {
  return x.x;
}
inline __HOST_DEVICE__ __half __high2half(__half2 x) {
  return x.y;
}
inline __HOST_DEVICE__ __half2 __low2half2(__half2 x) {
  return x.data.xx;
}
inline __HOST_DEVICE__ __half2 __high2half2(__half2 x) {
  return x.data.yy;
}
inline __HOST_DEVICE__ __half2 __lows2half2(__half2 x, __half2 y) {
  return __half2{x.x, y.x};
}
inline __HOST_DEVICE__ __half2 __highs2half2(__half2 x, __half2 y) {
  return __half2{x.y, y.y};
}
inline __HOST_DEVICE__ __half2 __lowhigh2highlow(__half2 x) {
  return x.data.yx;
}

// Bits

inline __HOST_DEVICE__ short __half_as_short(__half x) {
  return static_cast<short>(static_cast<__half_raw>(x).x);
}
inline __HOST_DEVICE__ unsigned short __half_as_ushort(__half x) {
  return static_cast<__half_raw>(x).x;
}
inline __HOST_DEVICE__ __half __short_as_half(short x) {
  return __hip_detail::half_of_bits(x);
}
inline __HOST_DEVICE__ __half __ushort_as_half(unsigned short x) {
  return __hip_detail::half_of_bits(x);
}

// float

inline __HOST_DEVICE__ __half __float2half(float x) {
  return __half_raw{static_cast<_Float16>(x)};
}
inline __HOST_DEVICE__ __half __float2half_rn(float x) {
  return __float2half(x);
}
inline __HOST_DEVICE__ __half __float2half_rz(float x) {
  return __hip_detail::half_toward_zero(x);
}
inline __HOST_DEVICE__ __half __float2half_rd(float x) {
  return __hip_detail::half_down(x);
}
inline __HOST_DEVICE__ __half __float2half_ru(float x) {
  return __hip_detail::half_up(x);
}
inline __HOST_DEVICE__ __half2 __float2half2_rn(float x) {
  return __half2half2(__float2half(x));
}
inline __HOST_DEVICE__ __half2 __floats2half2_rn(float x, float y) {
  return __half2{__float2half(x), __float2half(y)};
}
inline __HOST_DEVICE__ __half2 __float22half2_rn(float2 x) {
  return __floats2half2_rn(x.x, x.y);
}

inline __HOST_DEVICE__ float __half2float(__half x) {
  return static_cast<float>(__hip_detail::half_value(x));
}
inline __HOST_DEVICE__ float __low2float(__half2 x) {
  return static_cast<float>(x.data.x);
}
inline __HOST_DEVICE__ float __high2float(__half2 x) {
  return static_cast<float>(x.data.y);
}
inline __HOST_DEVICE__ float2 __half22float2(__half2 x) {
  return float2{__low2float(x), __high2float(x)};
}

// Integers. ROCm has one conversion in each direction behind all four names: to an integer it
// truncates, from an integer it rounds to nearest even.

#define __hw_convert(name, T, mode, where)               \
  inline __device__ T __half2##name##_##mode(__half x) { \
    return static_cast<T>(__hip_detail::half_value(x));  \
  }                                                      \
  inline where __half __##name##2half_##mode(T x) {      \
    return __half_raw{static_cast<_Float16>(x)};         \
  }
#define __hw_convert_all_modes(name, T)  \
  __hw_convert(name, T, rn, __device__); \
  __hw_convert(name, T, rz, __device__); \
  __hw_convert(name, T, rd, __device__); \
  __hw_convert(name, T, ru, __device__)

// One for the host, too, since 7.0.
#if __HW_ROCM < 700
__hw_convert(int, int, rn, __device__);
#else
__hw_convert(int, int, rn, __HOST_DEVICE__);
#endif
__hw_convert(int, int, rz, __device__);
__hw_convert(int, int, rd, __device__);
__hw_convert(int, int, ru, __device__);
__hw_convert_all_modes(short, short);
__hw_convert_all_modes(ll, long long);
__hw_convert_all_modes(uint, unsigned int);
__hw_convert_all_modes(ushort, unsigned short);
__hw_convert_all_modes(ull, unsigned long long);

#undef __hw_convert_all_modes
#undef __hw_convert

// Loads with a cache hint, which ROCm ignores

#define __hw_load(name)                                         \
  inline __device__ __half name(const __half* address) {        \
    return *address;                                            \
  }                                                             \
  inline __HOST_DEVICE__ __half2 name(const __half2* address) { \
    return *address;                                            \
  }

__hw_load(__ldg);
__hw_load(__ldcg);
__hw_load(__ldca);
__hw_load(__ldcs);

#undef __hw_load

}  // namespace
