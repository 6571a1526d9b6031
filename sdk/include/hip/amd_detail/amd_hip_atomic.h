// SPDX-License-Identifier: MIT
// atomicAdd to atomicXor on the whole device, and their _system variants that also hold against the
// host and other GPUs. All are relaxed: use fences to order other memory around them.
#pragma once

#include <hip/amd_detail/amd_device_functions.h>
#include <hip/amd_detail/amd_hip_unsafe_atomics.h>

// One operation for one type, at both scopes
#define __hw_atomic(name, builtin, T)                                          \
  __device__ inline T name(T* address, T val) {                                \
    return builtin(address, val, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);  \
  }                                                                            \
  __device__ inline T name##_system(T* address, T val) {                       \
    return builtin(address, val, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM); \
  }

#define __hw_atomic_32_64(name, builtin)     \
  __hw_atomic(name, builtin, int);           \
  __hw_atomic(name, builtin, unsigned int);  \
  __hw_atomic(name, builtin, unsigned long); \
  __hw_atomic(name, builtin, unsigned long long)

// Compare and swap

#define __hw_atomic_cas_at(name, T, scope)                                         \
  __device__ inline T name(T* address, T compare, T val) {                         \
    __hip_atomic_compare_exchange_strong(address, &compare, val, __ATOMIC_RELAXED, \
                                         __ATOMIC_RELAXED, scope);                 \
    return compare;                                                                \
  }
#define __hw_atomic_cas(T)                                    \
  __hw_atomic_cas_at(atomicCAS, T, __HIP_MEMORY_SCOPE_AGENT); \
  __hw_atomic_cas_at(atomicCAS_system, T, __HIP_MEMORY_SCOPE_SYSTEM)

#if __HW_ROCM >= 700
__hw_atomic_cas(unsigned short);
#endif
__hw_atomic_cas(int);
__hw_atomic_cas(unsigned int);
__hw_atomic_cas(unsigned long);
__hw_atomic_cas(unsigned long long);
__hw_atomic_cas(float);
__hw_atomic_cas(double);

#undef __hw_atomic_cas
#undef __hw_atomic_cas_at

// Exchange and bits

__hw_atomic_32_64(atomicExch, __hip_atomic_exchange);
__hw_atomic(atomicExch, __hip_atomic_exchange, float);
__hw_atomic(atomicExch, __hip_atomic_exchange, double);
__hw_atomic_32_64(atomicAnd, __hip_atomic_fetch_and);
__hw_atomic_32_64(atomicOr, __hip_atomic_fetch_or);
__hw_atomic_32_64(atomicXor, __hip_atomic_fetch_xor);

// Sums. With -munsafe-fp-atomics those of float and double trust the address to be in
// coarse-grained memory.

__hw_atomic_32_64(atomicAdd, __hip_atomic_fetch_add);
__hw_atomic_32_64(atomicSub, __hip_atomic_fetch_sub);

#if defined(__AMDGCN_UNSAFE_FP_ATOMICS__)
#define __hw_device_scope_add(address, val) unsafeAtomicAdd(address, val)
#else
#define __hw_device_scope_add(address, val) \
  __hip_atomic_fetch_add(address, val, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)
#endif
#define __hw_atomic_float_sum(T)                                                               \
  __device__ inline T atomicAdd(T* address, T val) {                                           \
    return __hw_device_scope_add(address, val);                                                \
  }                                                                                            \
  __device__ inline T atomicAdd_system(T* address, T val) {                                    \
    return __hip_atomic_fetch_add(address, val, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);  \
  }                                                                                            \
  __device__ inline T atomicSub(T* address, T val) {                                           \
    return __hw_device_scope_add(address, -val);                                               \
  }                                                                                            \
  __device__ inline T atomicSub_system(T* address, T val) {                                    \
    return __hip_atomic_fetch_add(address, -val, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM); \
  }

__hw_atomic_float_sum(float);
__hw_atomic_float_sum(double);

#undef __hw_atomic_float_sum
#undef __hw_device_scope_add

__attribute__((deprecated("use atomicAdd instead"))) __device__ inline void atomicAddNoRet(
    float* address, float val) {
  atomicAdd(address, val);
}

// Counters that wrap: Inc to 0 after val, Dec to val after 0

__device__ inline unsigned int atomicInc(unsigned int* address, unsigned int val) {
  return __builtin_amdgcn_atomic_inc32(address, val, __ATOMIC_RELAXED, "agent");
}
__device__ inline unsigned int atomicDec(unsigned int* address, unsigned int val) {
  return __builtin_amdgcn_atomic_dec32(address, val, __ATOMIC_RELAXED, "agent");
}

// Extremes

__hw_atomic(atomicMin, __hip_atomic_fetch_min, int);
__hw_atomic(atomicMin, __hip_atomic_fetch_min, unsigned int);
__hw_atomic(atomicMin, __hip_atomic_fetch_min, long long);
__hw_atomic(atomicMin, __hip_atomic_fetch_min, unsigned long long);
// ROCm 6.4 returns unsigned long long from this one at device scope.
#if __HW_ROCM < 700
__device__ inline unsigned long long atomicMin(unsigned long* address, unsigned long val) {
#else
__device__ inline unsigned long atomicMin(unsigned long* address, unsigned long val) {
#endif
  return __hip_atomic_fetch_min(address, val, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
__device__ inline unsigned long atomicMin_system(unsigned long* address, unsigned long val) {
  return __hip_atomic_fetch_min(address, val, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}
__hw_atomic_32_64(atomicMax, __hip_atomic_fetch_max);
__hw_atomic(atomicMax, __hip_atomic_fetch_max, long long);

namespace __hip_detail {
// Unlike plain comparisons these order -0 before +0.
template <typename T>
struct below {
  __device__ bool operator()(T a, T b) const {
    return a < b || (a == b && __builtin_signbit(a) && !__builtin_signbit(b));
  }
};
template <typename T>
struct above {
  __device__ bool operator()(T a, T b) const {
    return a > b || (a == b && !__builtin_signbit(a) && __builtin_signbit(b));
  }
};
}  // namespace __hip_detail

#if defined(__AMDGCN_UNSAFE_FP_ATOMICS__)
#define __hw_float_extreme(unsafe_name, scope, order, T) return unsafe_name(addr, val)
#else
#define __hw_float_extreme(unsafe_name, scope, order, T) \
  return __hip_detail::atomic_replace_if<scope>(addr, val, __hip_detail::order<T>{})
#endif
#define __hw_atomic_float_extreme(T)                                          \
  __device__ inline T atomicMin(T* addr, T val) {                             \
    __hw_float_extreme(unsafeAtomicMin, __HIP_MEMORY_SCOPE_AGENT, below, T);  \
  }                                                                           \
  __device__ inline T atomicMin_system(T* addr, T val) {                      \
    __hw_float_extreme(unsafeAtomicMin, __HIP_MEMORY_SCOPE_SYSTEM, below, T); \
  }                                                                           \
  __device__ inline T atomicMax(T* addr, T val) {                             \
    __hw_float_extreme(unsafeAtomicMax, __HIP_MEMORY_SCOPE_AGENT, above, T);  \
  }                                                                           \
  __device__ inline T atomicMax_system(T* addr, T val) {                      \
    __hw_float_extreme(unsafeAtomicMax, __HIP_MEMORY_SCOPE_SYSTEM, above, T); \
  }

__hw_atomic_float_extreme(float);
__hw_atomic_float_extreme(double);

#undef __hw_atomic_float_extreme
#undef __hw_float_extreme
#undef __hw_atomic_32_64
#undef __hw_atomic
