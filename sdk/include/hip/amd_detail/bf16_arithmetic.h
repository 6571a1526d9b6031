// SPDX-License-Identifier: MIT
// Arithmetic of bf16: named functions, operators, an atomic add. Part of amd_hip_bf16.h.
// There are no bf16 instructions for it: everything is a float operation, rounded once more.
#pragma once

#include <hip/amd_detail/amd_hip_atomic.h>

#include <hip/amd_detail/bf16_convert.h>

// Functions

#define __hw_binary(name, op)                                               \
  __BF16_HOST_DEVICE_STATIC__ __hip_bfloat16 name(const __hip_bfloat16 a,   \
                                                  const __hip_bfloat16 b) { \
    return __float2bfloat16(__bfloat162float(a) op __bfloat162float(b));    \
  }
#define __hw_binary2(name, op)                                                         \
  __BF16_HOST_DEVICE_STATIC__ __hip_bfloat162 name(const __hip_bfloat162 a,            \
                                                   const __hip_bfloat162 b) {          \
    return __float22bfloat162_rn(                                                      \
        float2{__low2float(a) op __low2float(b), __high2float(a) op __high2float(b)}); \
  }

__hw_binary(__hadd, +);
__hw_binary(__hsub, -);
__hw_binary(__hmul, *);
__hw_binary(__hdiv, /);
__hw_binary2(__hadd2, +);
__hw_binary2(__hsub2, -);
__hw_binary2(__hmul2, *);
__hw_binary2(__h2div, /);

#if __HW_ROCM >= 700
__hw_binary(__hadd_rn, +);
__hw_binary(__hsub_rn, -);
__hw_binary(__hmul_rn, *);
__hw_binary2(__hadd2_rn, +);
__hw_binary2(__hsub2_rn, -);
__hw_binary2(__hmul2_rn, *);
#endif

#undef __hw_binary2
#undef __hw_binary

__BF16_DEVICE_STATIC__ __hip_bfloat16 __hfma(const __hip_bfloat16 a, const __hip_bfloat16 b,
                                             const __hip_bfloat16 c) {
  return __float2bfloat16(
      __builtin_fmaf(__bfloat162float(a), __bfloat162float(b), __bfloat162float(c)));
}
__BF16_DEVICE_STATIC__ __hip_bfloat162 __hfma2(const __hip_bfloat162 a, const __hip_bfloat162 b,
                                               const __hip_bfloat162 c) {
  return __hip_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}

__BF16_HOST_DEVICE_STATIC__ __hip_bfloat16 __hneg(const __hip_bfloat16 a) {
  return __ushort_as_bfloat16(__bfloat16_as_ushort(a) ^ 0x8000);
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat162 __hneg2(const __hip_bfloat162 a) {
  return __hip_bfloat162(__hneg(a.x), __hneg(a.y));
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat16 __habs(const __hip_bfloat16 a) {
  return __ushort_as_bfloat16(__bfloat16_as_ushort(a) & 0x7fff);
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat162 __habs2(const __hip_bfloat162 a) {
  return __hip_bfloat162(__habs(a.x), __habs(a.y));
}

// Operators

#define __hw_operator(T, op, function)                                \
  __BF16_HOST_DEVICE_STATIC__ T operator op(const T& l, const T& r) { \
    return function(l, r);                                            \
  }                                                                   \
  __BF16_HOST_DEVICE_STATIC__ T& operator op##=(T& l, const T& r) {   \
    l = function(l, r);                                               \
    return l;                                                         \
  }
#define __hw_step(T, op, function, one)                        \
  __BF16_HOST_DEVICE_STATIC__ T& operator op(T& l) {           \
    l = function(l, one);                                      \
    return l;                                                  \
  }                                                            \
  __BF16_HOST_DEVICE_STATIC__ T operator op(T& l, const int) { \
    T old = l;                                                 \
    op l;                                                      \
    return old;                                                \
  }
#define __hw_operators(T, add, sub, mul, div, neg, one) \
  __hw_operator(T, +, add);                             \
  __hw_operator(T, -, sub);                             \
  __hw_operator(T, *, mul);                             \
  __hw_operator(T, /, div);                             \
  __BF16_HOST_DEVICE_STATIC__ T operator+(const T& l) { \
    return l;                                           \
  }                                                     \
  __BF16_HOST_DEVICE_STATIC__ T operator-(const T& l) { \
    return neg(l);                                      \
  }                                                     \
  __hw_step(T, ++, add, one);                           \
  __hw_step(T, --, sub, one)

__hw_operators(__hip_bfloat16, __hadd, __hsub, __hmul, __hdiv, __hneg, HIPRT_ONE_BF16);
__hw_operators(__hip_bfloat162, __hadd2, __hsub2, __hmul2, __h2div, __hneg2,
               __bfloat162bfloat162(HIPRT_ONE_BF16));

#undef __hw_operators
#undef __hw_step
#undef __hw_operator

// "Unsafe": the instruction needs coarse-grained memory. Targets without it get a loop.
__BF16_DEVICE_STATIC__ __hip_bfloat162 unsafeAtomicAdd(__hip_bfloat162* address,
                                                       __hip_bfloat162 value) {
#if __has_builtin(__builtin_amdgcn_flat_atomic_fadd_v2bf16)
  typedef short short_pair __attribute__((ext_vector_type(2)));
  short_pair old = __builtin_amdgcn_flat_atomic_fadd_v2bf16(
      reinterpret_cast<short_pair*>(address),
      __builtin_bit_cast(short_pair, __hip_detail::bf162_bits(value)));
  return __hip_detail::bf162_of_bits(__builtin_bit_cast(unsigned int, old));
#else
  unsigned int* word = reinterpret_cast<unsigned int*>(address);
  unsigned int old = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  while (true) {
    __hip_bfloat162 sum = __hadd2(__hip_detail::bf162_of_bits(old), value);
    if (__hip_atomic_compare_exchange_strong(word, &old, __hip_detail::bf162_bits(sum),
                                             __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                             __HIP_MEMORY_SCOPE_AGENT)) {
      return __hip_detail::bf162_of_bits(old);
    }
  }
#endif
}

#if __HW_ROCM >= 700
// One element of a pair: the other one gets -0, which changes no value.
__BF16_DEVICE_STATIC__ __hip_bfloat16 unsafeAtomicAdd(__hip_bfloat16* address,
                                                      __hip_bfloat16 value) {
  bool upper = (reinterpret_cast<__UINTPTR_TYPE__>(address) & 2) != 0;
  const __hip_bfloat16 nothing = __ushort_as_bfloat16(0x8000);
  __hip_bfloat162 old = unsafeAtomicAdd(
      reinterpret_cast<__hip_bfloat162*>(address - upper),
      upper ? __halves2bfloat162(nothing, value) : __halves2bfloat162(value, nothing));
  return upper ? __high2bfloat16(old) : __low2bfloat16(old);
}
#endif
