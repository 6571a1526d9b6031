// SPDX-License-Identifier: MIT
// A part of compat.h, which includes them in order.
namespace hip_compat {

// Replaces *address with update(old value) and returns the old value. T has 2, 4 or 8 bytes.
template <int scope, class T, class F>
__device__ inline T atomic_update(T* address, F update) {
  typedef typename chunk<sizeof(T)>::type bits;
  auto word = reinterpret_cast<bits*>(address);
  bits old = __hip_atomic_load(word, __ATOMIC_RELAXED, scope);
  while (!__hip_atomic_compare_exchange_strong(word, &old, bits_as<bits>(update(bits_as<T>(old))),
                                               __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope)) {
  }
  return bits_as<T>(old);
}

template <int scope>
__device__ inline unsigned int atomic_inc(unsigned int* address, unsigned int limit) {
  return atomic_update<scope>(address,
                              [limit](unsigned int old) { return old >= limit ? 0u : old + 1; });
}
template <int scope>
__device__ inline unsigned int atomic_dec(unsigned int* address, unsigned int limit) {
  return atomic_update<scope>(
      address, [limit](unsigned int old) { return old == 0 || old > limit ? limit : old - 1; });
}

}  // namespace hip_compat

// Block scope: atomic among the threads of the block only.
#define HIP_COMPAT_ATOMIC(name, operation)                                            \
  template <class T>                                                                  \
  __device__ inline T name(T* address, typename hip_compat::same<T>::type value) {    \
    return operation(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP); \
  }
HIP_COMPAT_ATOMIC(atomicAdd_block, __hip_atomic_fetch_add)
HIP_COMPAT_ATOMIC(atomicExch_block, __hip_atomic_exchange)
HIP_COMPAT_ATOMIC(atomicMin_block, __hip_atomic_fetch_min)
HIP_COMPAT_ATOMIC(atomicMax_block, __hip_atomic_fetch_max)
HIP_COMPAT_ATOMIC(atomicAnd_block, __hip_atomic_fetch_and)
HIP_COMPAT_ATOMIC(atomicOr_block, __hip_atomic_fetch_or)
HIP_COMPAT_ATOMIC(atomicXor_block, __hip_atomic_fetch_xor)
#undef HIP_COMPAT_ATOMIC

template <class T>
__device__ inline T atomicSub_block(T* address, typename hip_compat::same<T>::type value) {
  return __hip_atomic_fetch_add(address, static_cast<T>(T{} - value), __ATOMIC_RELAXED,
                                __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <class T>
__device__ inline T atomicCAS_block(T* address, typename hip_compat::same<T>::type compare,
                                    typename hip_compat::same<T>::type value) {
  __hip_atomic_compare_exchange_strong(address, &compare, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_WORKGROUP);
  return compare;
}
HIP_COMPAT_DEVICE unsigned int atomicInc_block(unsigned int* address, unsigned int limit) {
  return hip_compat::atomic_inc<__HIP_MEMORY_SCOPE_WORKGROUP>(address, limit);
}
HIP_COMPAT_DEVICE unsigned int atomicDec_block(unsigned int* address, unsigned int limit) {
  return hip_compat::atomic_dec<__HIP_MEMORY_SCOPE_WORKGROUP>(address, limit);
}
HIP_COMPAT_DEVICE unsigned int atomicInc_system(unsigned int* address, unsigned int limit) {
  return hip_compat::atomic_inc<__HIP_MEMORY_SCOPE_SYSTEM>(address, limit);
}
HIP_COMPAT_DEVICE unsigned int atomicDec_system(unsigned int* address, unsigned int limit) {
  return hip_compat::atomic_dec<__HIP_MEMORY_SCOPE_SYSTEM>(address, limit);
}

HIP_COMPAT_DEVICE unsigned short atomicCAS(unsigned short* address, unsigned short compare,
                                           unsigned short value) {
  __hip_atomic_compare_exchange_strong(address, &compare, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_AGENT);
  return compare;
}
HIP_COMPAT_DEVICE unsigned short atomicCAS_system(unsigned short* address, unsigned short compare,
                                                  unsigned short value) {
  __hip_atomic_compare_exchange_strong(address, &compare, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_SYSTEM);
  return compare;
}

// As in CUDA, each element is atomic, not the vector.
#define HIP_COMPAT_VECTOR_SUM(name, scope)                                                     \
  HIP_COMPAT_DEVICE float2 name(float2* address, float2 value) {                               \
    return make_float2(__hip_atomic_fetch_add(&address->x, value.x, __ATOMIC_RELAXED, scope),  \
                       __hip_atomic_fetch_add(&address->y, value.y, __ATOMIC_RELAXED, scope)); \
  }                                                                                            \
  HIP_COMPAT_DEVICE float4 name(float4* address, float4 value) {                               \
    return make_float4(__hip_atomic_fetch_add(&address->x, value.x, __ATOMIC_RELAXED, scope),  \
                       __hip_atomic_fetch_add(&address->y, value.y, __ATOMIC_RELAXED, scope),  \
                       __hip_atomic_fetch_add(&address->z, value.z, __ATOMIC_RELAXED, scope),  \
                       __hip_atomic_fetch_add(&address->w, value.w, __ATOMIC_RELAXED, scope)); \
  }
HIP_COMPAT_VECTOR_SUM(atomicAdd, __HIP_MEMORY_SCOPE_AGENT)
HIP_COMPAT_VECTOR_SUM(atomicAdd_block, __HIP_MEMORY_SCOPE_WORKGROUP)
HIP_COMPAT_VECTOR_SUM(atomicAdd_system, __HIP_MEMORY_SCOPE_SYSTEM)
#undef HIP_COMPAT_VECTOR_SUM

// By compare-and-swap: correct in all kinds of memory, unlike HIP's faster unsafeAtomicAdd.
HIP_COMPAT_DEVICE __half atomicAdd(__half* address, __half value) {
  return hip_compat::atomic_update<__HIP_MEMORY_SCOPE_AGENT>(address, [value](__half old) {
    return __float2half(__half2float(old) + __half2float(value));
  });
}
HIP_COMPAT_DEVICE __half2 atomicAdd(__half2* address, __half2 value) {
  return hip_compat::atomic_update<__HIP_MEMORY_SCOPE_AGENT>(
      address, [value](__half2 old) { return __hadd2(old, value); });
}
#if __has_include(<hip/hip_bf16.h>)
HIP_COMPAT_DEVICE __hip_bfloat16 atomicAdd(__hip_bfloat16* address, __hip_bfloat16 value) {
  return hip_compat::atomic_update<__HIP_MEMORY_SCOPE_AGENT>(address, [value](__hip_bfloat16 old) {
    return __float2bfloat16(__bfloat162float(old) + __bfloat162float(value));
  });
}
HIP_COMPAT_DEVICE __hip_bfloat162 atomicAdd(__hip_bfloat162* address, __hip_bfloat162 value) {
  return hip_compat::atomic_update<__HIP_MEMORY_SCOPE_AGENT>(
      address, [value](__hip_bfloat162 old) { return __hadd2(old, value); });
}
#endif
