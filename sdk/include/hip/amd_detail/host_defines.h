// SPDX-License-Identifier: MIT
// Function and variable qualifiers, and the few type traits that device headers need where the
// standard library is absent (HIPRTC).
#pragma once

#include <hip/amd_detail/level.h>

#define HIP_INCLUDE_HIP_AMD_DETAIL_HOST_DEFINES_H  // ROCm's guard: some programs test it

#if !defined(GENERIC_GRID_LAUNCH)
#define GENERIC_GRID_LAUNCH 1
#endif

#if defined(__clang__) && defined(__HIP__)

// 64-bit integers in the signatures of device functions: unsigned long, since 7.0 unsigned long
// long.
#if __HW_ROCM < 700
typedef __UINT64_TYPE__ __hw_uint64;
#else
typedef unsigned long long __hw_uint64;
#endif

namespace __hip_internal {

typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef signed char int8_t;
typedef signed short int16_t;
typedef signed int int32_t;
typedef signed long long int64_t;

template <class T, T v>
struct integral_constant {
  typedef T value_type;
  typedef integral_constant type;
  static constexpr const T value = v;
  constexpr operator value_type() const { return v; }
  constexpr value_type operator()() const { return v; }
};
template <class T, T v>
constexpr const T integral_constant<T, v>::value;

template <bool b>
using bool_constant = integral_constant<bool, b>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;
template <bool b>
struct true_or_false_type : bool_constant<b> {};

template <bool condition, class T = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> {
  typedef T type;
};

template <bool condition, class T, class F>
struct conditional {
  typedef T type;
};
template <class T, class F>
struct conditional<false, T, F> {
  typedef F type;
};

template <class T, class U>
struct is_same : bool_constant<__is_same(T, U)> {};
template <class T>
struct is_standard_layout : bool_constant<__is_standard_layout(T)> {};
template <class T>
struct is_trivial : bool_constant<__is_trivially_copyable(T) && __is_trivially_constructible(T)> {};

// The standard types only: _Float16, __bf16 and __int128 are in none of these.
template <class T>
struct is_integral : false_type {};
template <class T>
struct is_floating_point : false_type {};
#define __HW_TRAIT(trait, type) \
  template <>                   \
  struct trait<type> : true_type {};
__HW_TRAIT(is_integral, bool)
__HW_TRAIT(is_integral, char)
__HW_TRAIT(is_integral, signed char)
__HW_TRAIT(is_integral, unsigned char)
__HW_TRAIT(is_integral, wchar_t)
__HW_TRAIT(is_integral, short)
__HW_TRAIT(is_integral, unsigned short)
__HW_TRAIT(is_integral, int)
__HW_TRAIT(is_integral, unsigned int)
__HW_TRAIT(is_integral, long)
__HW_TRAIT(is_integral, unsigned long)
__HW_TRAIT(is_integral, long long)
__HW_TRAIT(is_integral, unsigned long long)
__HW_TRAIT(is_floating_point, float)
__HW_TRAIT(is_floating_point, double)
__HW_TRAIT(is_floating_point, long double)
#undef __HW_TRAIT

// long double is not a device type, so it does not count as arithmetic here.
template <class T>
struct is_arithmetic
    : bool_constant<is_integral<T>::value || __is_same(T, float) || __is_same(T, double)> {};

template <class T, bool = is_arithmetic<T>::value>
struct is_signed : false_type {};
template <class T>
struct is_signed<T, true> : bool_constant<(T(-1) < T(0))> {};

template <class CharT>
struct char_traits;
template <class CharT, class Traits = char_traits<CharT>>
class basic_istream;
template <class CharT, class Traits = char_traits<CharT>>
class basic_ostream;
typedef basic_istream<char> istream;
typedef basic_ostream<char> ostream;

}  // namespace __hip_internal

typedef __hip_internal::uint8_t __hip_uint8_t;
typedef __hip_internal::uint16_t __hip_uint16_t;
typedef __hip_internal::uint32_t __hip_uint32_t;
typedef __hip_internal::uint64_t __hip_uint64_t;
typedef __hip_internal::int8_t __hip_int8_t;
typedef __hip_internal::int16_t __hip_int16_t;
typedef __hip_internal::int32_t __hip_int32_t;
typedef __hip_internal::int64_t __hip_int64_t;

// clang's own wrapper header defines these when it is included first, as it is by default.
#if !defined(__CLANG_HIP_RUNTIME_WRAPPER_INCLUDED__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#endif

// Newer clangs know __noinline__ as a keyword, so that __attribute__((__noinline__)) stays valid.
#if !defined(__has_feature) || !__has_feature(cuda_noinline_keyword)
#define __noinline__ __attribute__((noinline))
#endif
#define __forceinline__ inline __attribute__((always_inline))

// On devices without image instructions a texture call is an error at its call site.
#if defined(__HIP_NO_IMAGE_SUPPORT) && __HIP_NO_IMAGE_SUPPORT
#define __hip_img_chk__ \
  __attribute__((unavailable("this device has no texture or surface instructions")))
#else
#define __hip_img_chk__
#endif

#else  // an ordinary compiler: the qualifiers mean nothing

#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __noinline__
#define __forceinline__ inline
#define __hip_img_chk__

#endif
