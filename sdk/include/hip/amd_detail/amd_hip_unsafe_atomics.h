// SPDX-License-Identifier: MIT
// Floating point atomics that say whether the fast hardware instruction will do, whatever
// -munsafe-fp-atomics says.
//
// unsafe*: the address is in coarse-grained device memory or in LDS, and denormals may be flushed.
// safe*:   any memory, and the result of ordinary arithmetic.
// max and min of float have no instruction with the right answer for NaN and are compare-and-swap
// loops.
#pragma once

#include <hip/amd_detail/host_defines.h>

#ifdef __cplusplus

// The host pass may not have them.
#if !defined(__HIP_MEMORY_SCOPE_AGENT)
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
#endif

#define __hw_unsafe_memory \
  [[clang::atomic(no_remote_memory, no_fine_grained_memory, ignore_denormal_mode)]]
#define __hw_any_memory \
  [[clang::atomic(remote_memory, fine_grained_memory, no_ignore_denormal_mode)]]

namespace __hip_detail {

// Writes val to *address while `replaces(val, *address)`; returns what was there.
template <int scope, typename T, typename Replaces>
__device__ inline T atomic_replace_if(T* address, T val, Replaces replaces) {
  T old = __hip_atomic_load(address, __ATOMIC_RELAXED, scope);
  while (replaces(val, old) && !__hip_atomic_compare_exchange_strong(
                                   address, &old, val, __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope)) {
  }
  return old;
}

template <typename T>
struct less_than {
  __device__ bool operator()(T a, T b) const { return a < b; }
};
template <typename T>
struct greater_than {
  __device__ bool operator()(T a, T b) const { return a > b; }
};

template <typename T>
__device__ inline T cas_min(T* address, T val) {
  return atomic_replace_if<__HIP_MEMORY_SCOPE_AGENT>(address, val, less_than<T>{});
}
template <typename T>
__device__ inline T cas_max(T* address, T val) {
  return atomic_replace_if<__HIP_MEMORY_SCOPE_AGENT>(address, val, greater_than<T>{});
}

}  // namespace __hip_detail

#define __hw_atomic_add(T)                                                                    \
  __device__ inline T unsafeAtomicAdd(T* addr, T value) {                                     \
    __hw_unsafe_memory {                                                                      \
      return __hip_atomic_fetch_add(addr, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
    }                                                                                         \
  }                                                                                           \
  __device__ inline T safeAtomicAdd(T* addr, T value) {                                       \
    __hw_any_memory {                                                                         \
      return __hip_atomic_fetch_add(addr, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
    }                                                                                         \
  }

__hw_atomic_add(float);
__hw_atomic_add(double);

#undef __hw_atomic_add

__device__ inline float unsafeAtomicMax(float* addr, float val) {
  return __hip_detail::cas_max(addr, val);
}
__device__ inline float unsafeAtomicMin(float* addr, float val) {
  return __hip_detail::cas_min(addr, val);
}
__device__ inline float safeAtomicMax(float* addr, float val) {
  return __hip_detail::cas_max(addr, val);
}
__device__ inline float safeAtomicMin(float* addr, float val) {
  return __hip_detail::cas_min(addr, val);
}

#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
__device__ inline double unsafeAtomicMax(double* addr, double val) {
  __hw_unsafe_memory {
    return __hip_atomic_fetch_max(addr, val, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
}
__device__ inline double unsafeAtomicMin(double* addr, double val) {
  __hw_unsafe_memory {
    return __hip_atomic_fetch_min(addr, val, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
}
#else
__device__ inline double unsafeAtomicMax(double* addr, double val) {
  return __hip_detail::cas_max(addr, val);
}
__device__ inline double unsafeAtomicMin(double* addr, double val) {
  return __hip_detail::cas_min(addr, val);
}
#endif
__device__ inline double safeAtomicMax(double* addr, double val) {
  return __hip_detail::cas_max(addr, val);
}
__device__ inline double safeAtomicMin(double* addr, double val) {
  return __hip_detail::cas_min(addr, val);
}

#undef __hw_any_memory
#undef __hw_unsafe_memory

#endif
