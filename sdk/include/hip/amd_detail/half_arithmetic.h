// SPDX-License-Identifier: MIT
// Arithmetic of fp16: the named functions, and an atomic add. Part of amd_hip_fp16.h.
#pragma once

#include <hip/amd_detail/amd_hip_atomic.h>

#include <hip/amd_detail/half_compare.h>

namespace {

#define __hw_binary(name, op)                                                      \
  inline __HOST_DEVICE__ __half name(__half x, __half y) {                         \
    return __half_raw{__hip_detail::half_value(x) op __hip_detail::half_value(y)}; \
  }
#define __hw_binary2(name, op)                                \
  inline __HOST_DEVICE__ __half2 name(__half2 x, __half2 y) { \
    return x.data op y.data;                                  \
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
// Never contracted into a fused operation by name; the operations are the same.
__hw_binary(__hadd_rn, +);
__hw_binary(__hsub_rn, -);
__hw_binary(__hmul_rn, *);
__hw_binary2(__hadd2_rn, +);
__hw_binary2(__hsub2_rn, -);
__hw_binary2(__hmul2_rn, *);
#endif

#undef __hw_binary2
#undef __hw_binary

inline __HOST_DEVICE__ __half __hneg(__half x) {
  return __half_raw{-__hip_detail::half_value(x)};
}
inline __HOST_DEVICE__ __half2 __hneg2(__half2 x) {
  return -x.data;
}
inline __HOST_DEVICE__ __half __habs(__half x) {
  return __hip_detail::half_of_bits(__half_as_ushort(x) & 0x7fff);
}
inline __HOST_DEVICE__ __half2 __habs2(__half2 x) {
  return __half2{__habs(x.x), __habs(x.y)};
}

inline __device__ __half __hfma(__half x, __half y, __half z) {
  return __half_raw{__builtin_elementwise_fma(
      __hip_detail::half_value(x), __hip_detail::half_value(y), __hip_detail::half_value(z))};
}
inline __device__ __half2 __hfma2(__half2 x, __half2 y, __half2 z) {
  return __builtin_elementwise_fma(x.data, y.data, z.data);
}

// The _sat functions clamp their result to [0, 1]; in ROCm a NaN stays one.

inline __device__ __half __clamp_01(__half x) {
  _Float16 value = __hip_detail::half_value(x);
  if (value < 0) value = 0;
  if (value > 1) value = 1;
  return __half_raw{value};
}

#define __hw_saturated(name)                                         \
  inline __device__ __half __h##name##_sat(__half x, __half y) {     \
    return __clamp_01(__h##name(x, y));                              \
  }                                                                  \
  inline __device__ __half2 __h##name##2_sat(__half2 x, __half2 y) { \
    __half2 result = __h##name##2(x, y);                             \
    return __half2{__clamp_01(result.x), __clamp_01(result.y)};      \
  }

__hw_saturated(add);
__hw_saturated(sub);
__hw_saturated(mul);

#undef __hw_saturated

inline __device__ __half __hfma_sat(__half x, __half y, __half z) {
  return __clamp_01(__hfma(x, y, z));
}
inline __device__ __half2 __hfma2_sat(__half2 x, __half2 y, __half2 z) {
  __half2 result = __hfma2(x, y, z);
  return __half2{__clamp_01(result.x), __clamp_01(result.y)};
}

// "Unsafe": the instruction needs coarse-grained memory. Targets without it get a loop.
inline __device__ __half2 unsafeAtomicAdd(__half2* address, __half2 value) {
#if __has_builtin(__builtin_amdgcn_flat_atomic_fadd_v2f16)
  return __builtin_amdgcn_flat_atomic_fadd_v2f16(reinterpret_cast<_Float16_2*>(address),
                                                 value.data);
#else
  unsigned int* word = reinterpret_cast<unsigned int*>(address);
  unsigned int old = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  while (true) {
    _Float16_2 sum = __builtin_bit_cast(_Float16_2, old) + value.data;
    if (__hip_atomic_compare_exchange_strong(word, &old, __builtin_bit_cast(unsigned int, sum),
                                             __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                             __HIP_MEMORY_SCOPE_AGENT)) {
      return __builtin_bit_cast(_Float16_2, old);
    }
  }
#endif
}

#if __HW_ROCM >= 700
// One element of a pair: the other one gets -0, which changes no value.
inline __device__ __half unsafeAtomicAdd(__half* address, __half value) {
  bool upper = (reinterpret_cast<__UINTPTR_TYPE__>(address) & 2) != 0;
  const __half nothing = __hip_detail::half_of_bits(0x8000);
  __half2 old = unsafeAtomicAdd(reinterpret_cast<__half2*>(address - upper),
                                upper ? __half2{nothing, value} : __half2{value, nothing});
  return upper ? old.y : old.x;
}
#endif

}  // namespace
