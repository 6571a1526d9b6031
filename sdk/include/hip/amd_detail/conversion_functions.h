// SPDX-License-Identifier: MIT
// Conversions between number types with a stated rounding (rn nearest even, rd down, ru up, rz
// toward zero), and reinterpretation of bits.
#pragma once

#include <hip/amd_detail/host_defines.h>

namespace __hip_detail {

__device__ inline float next_up(float x) {
  if (x == 0) return __builtin_bit_cast(float, 1u);
  unsigned int bits = __builtin_bit_cast(unsigned int, x);
  return __builtin_bit_cast(float, x > 0 ? bits + 1 : bits - 1);
}
__device__ inline float next_down(float x) {
  return -next_up(-x);
}

enum class rounding { down, up, to_zero };

template <rounding mode>
__device__ inline float narrow(double x) {
  float nearest = static_cast<float>(x);
  bool down = mode == rounding::down || (mode == rounding::to_zero && x > 0);
  if (down) return static_cast<double>(nearest) > x ? next_down(nearest) : nearest;
  return static_cast<double>(nearest) < x ? next_up(nearest) : nearest;
}

template <typename Float>
struct float_format;
template <>
struct float_format<float> {
  using bits = unsigned int;
  static constexpr int precision = 24;
};
template <>
struct float_format<double> {
  using bits = unsigned long long;
  static constexpr int precision = 53;
};

// Int's value in Float, by cutting off the bits that do not fit and adding one in the last place if
// need be
template <rounding mode, typename Float, typename Unsigned, typename Int>
__device__ inline Float from_int(Int x) {
  bool negative = x < Int{0};
  Unsigned magnitude = negative ? Unsigned{0} - static_cast<Unsigned>(x) : static_cast<Unsigned>(x);
  constexpr int width = 8 * sizeof(Unsigned);
  int excess = width - float_format<Float>::precision - __builtin_clzg(magnitude, width);
  Unsigned lost = excess > 0 ? magnitude & ((Unsigned{1} << excess) - 1) : Unsigned{0};
  Float value = static_cast<Float>(magnitude - lost);  // exact
  bool away = mode == rounding::up ? !negative : mode == rounding::down ? negative : false;
  if (away && lost != 0) {
    using bits = typename float_format<Float>::bits;
    value = __builtin_bit_cast(Float, __builtin_bit_cast(bits, value) + 1);
  }
  return negative ? -value : value;
}

}  // namespace __hip_detail

// Floating point to integer. Values that do not fit saturate in hardware, but the compiler may
// assume there are none.

#define __hw_float_to_int(from, name, to)                      \
  __device__ static inline to __##from##2##name##_rd(from x) { \
    return static_cast<to>(__builtin_elementwise_floor(x));    \
  }                                                            \
  __device__ static inline to __##from##2##name##_rn(from x) { \
    return static_cast<to>(__builtin_elementwise_rint(x));     \
  }                                                            \
  __device__ static inline to __##from##2##name##_ru(from x) { \
    return static_cast<to>(__builtin_elementwise_ceil(x));     \
  }                                                            \
  __device__ static inline to __##from##2##name##_rz(from x) { \
    return static_cast<to>(x);                                 \
  }

__hw_float_to_int(float, int, int);
__hw_float_to_int(float, uint, unsigned int);
__hw_float_to_int(float, ll, long long);
__hw_float_to_int(float, ull, unsigned long long);
__hw_float_to_int(double, int, int);
__hw_float_to_int(double, uint, unsigned int);
__hw_float_to_int(double, ll, long long);
__hw_float_to_int(double, ull, unsigned long long);

#undef __hw_float_to_int

// Integer to floating point

#define __hw_int_to_float(from, name, bits, to)                                  \
  __device__ static inline to __##name##2##to##_rn(from x) {                     \
    return static_cast<to>(x);                                                   \
  }                                                                              \
  __device__ static inline to __##name##2##to##_rd(from x) {                     \
    return __hip_detail::from_int<__hip_detail::rounding::down, to, bits>(x);    \
  }                                                                              \
  __device__ static inline to __##name##2##to##_ru(from x) {                     \
    return __hip_detail::from_int<__hip_detail::rounding::up, to, bits>(x);      \
  }                                                                              \
  __device__ static inline to __##name##2##to##_rz(from x) {                     \
    return __hip_detail::from_int<__hip_detail::rounding::to_zero, to, bits>(x); \
  }

__hw_int_to_float(int, int, unsigned int, float);
__hw_int_to_float(unsigned int, uint, unsigned int, float);
__hw_int_to_float(long long, ll, unsigned long long, float);
__hw_int_to_float(unsigned long long, ull, unsigned long long, float);
__hw_int_to_float(long long, ll, unsigned long long, double);
__hw_int_to_float(unsigned long long, ull, unsigned long long, double);

#undef __hw_int_to_float

__device__ static inline double __int2double_rn(int x) {
  return static_cast<double>(x);
}
__device__ static inline double __uint2double_rn(unsigned int x) {
  return static_cast<double>(x);
}

// double to float

__device__ static inline float __double2float_rn(double x) {
  return static_cast<float>(x);
}
__device__ static inline float __double2float_rd(double x) {
  return __hip_detail::narrow<__hip_detail::rounding::down>(x);
}
__device__ static inline float __double2float_ru(double x) {
  return __hip_detail::narrow<__hip_detail::rounding::up>(x);
}
__device__ static inline float __double2float_rz(double x) {
  return __hip_detail::narrow<__hip_detail::rounding::to_zero>(x);
}

// Bits

__device__ static inline int __float_as_int(float x) {
  return __builtin_bit_cast(int, x);
}
__device__ static inline unsigned int __float_as_uint(float x) {
  return __builtin_bit_cast(unsigned int, x);
}
__device__ static inline float __int_as_float(int x) {
  return __builtin_bit_cast(float, x);
}
__device__ static inline float __uint_as_float(unsigned int x) {
  return __builtin_bit_cast(float, x);
}
__device__ static inline long long int __double_as_longlong(double x) {
  return __builtin_bit_cast(long long, x);
}
__device__ static inline double __longlong_as_double(long long int x) {
  return __builtin_bit_cast(double, x);
}
__device__ static inline int __double2hiint(double x) {
  return static_cast<int>(__builtin_bit_cast(unsigned long long, x) >> 32);
}
__device__ static inline int __double2loint(double x) {
  return static_cast<int>(__builtin_bit_cast(unsigned long long, x));
}
__device__ static inline double __hiloint2double(int hi, int lo) {
  unsigned long long bits = static_cast<unsigned long long>(static_cast<unsigned int>(hi)) << 32 |
                            static_cast<unsigned int>(lo);
  return __builtin_bit_cast(double, bits);
}
