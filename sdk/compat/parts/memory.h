// SPDX-License-Identifier: MIT
// A part of compat.h, which includes them in order.
namespace hip_compat {

// Unsigned type of a size, allowed to alias anything.
template <unsigned size>
struct chunk;
template <>
struct chunk<1> {
  typedef unsigned char __attribute__((may_alias)) type;
};
template <>
struct chunk<2> {
  typedef unsigned short __attribute__((may_alias)) type;
};
template <>
struct chunk<4> {
  typedef unsigned int __attribute__((may_alias)) type;
};
template <>
struct chunk<8> {
  typedef unsigned long long __attribute__((may_alias)) type;
};
template <>
struct chunk<16> {
  typedef unsigned int __attribute__((ext_vector_type(4), may_alias)) type;
};

// Calls visit(to, from) for the aligned chunks of two objects of type T. Visitors are structs:
// C++11 has no generic lambdas.
template <unsigned max_size, class T, class F>
__device__ inline void copy_chunks(T* to, const T* from, F visit) {
  constexpr unsigned size = alignof(T) < max_size ? alignof(T) : max_size;
  typedef typename chunk<size>::type chunk_type;
  auto target = reinterpret_cast<chunk_type*>(to);
  auto source = reinterpret_cast<const chunk_type*>(from);
  for (unsigned i = 0; i < sizeof(T) / size; ++i) visit(target + i, source + i);
}

}  // namespace hip_compat

// Loads. The cached and last-use forms are plain; cg bypasses the cache of the compute unit and so
// sees stores of other blocks; cv reads memory each time; cs is for data used once.
template <class T>
__device__ inline T __ldca(const T* address) {
  return *address;
}
template <class T>
__device__ inline T __ldlu(const T* address) {
  return *address;
}
#define HIP_COMPAT_LOAD(name, max_size, expression)                    \
  namespace hip_compat {                                               \
  struct name##_chunk {                                                \
    template <class To, class From>                                    \
    __device__ void operator()(To* to, From* from) const {             \
      *to = expression;                                                \
    }                                                                  \
  };                                                                   \
  }                                                                    \
  template <class T>                                                   \
  __device__ inline T name(const T* address) {                         \
    T value;                                                           \
    hip_compat::copy_chunks<max_size>(&value, const_cast<T*>(address), \
                                      hip_compat::name##_chunk());     \
    return value;                                                      \
  }
HIP_COMPAT_LOAD(__ldcg, 8, __hip_atomic_load(from, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
HIP_COMPAT_LOAD(__ldcv, 8, __hip_atomic_load(from, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM))
HIP_COMPAT_LOAD(__ldcs, 16, __builtin_nontemporal_load(from))
#undef HIP_COMPAT_LOAD

// Stores: wb is plain, cg writes to the cache that all compute units share, wt to memory, cs is for
// data that is not read soon.
template <class T>
__device__ inline void __stwb(T* address, typename hip_compat::same<T>::type value) {
  *address = value;
}
#define HIP_COMPAT_STORE(name, max_size, expression)                                  \
  namespace hip_compat {                                                              \
  struct name##_chunk {                                                               \
    template <class To, class From>                                                   \
    __device__ void operator()(To* to, From* from) const {                            \
      expression;                                                                     \
    }                                                                                 \
  };                                                                                  \
  }                                                                                   \
  template <class T>                                                                  \
  __device__ inline void name(T* address, typename hip_compat::same<T>::type value) { \
    hip_compat::copy_chunks<max_size>(address, &value, hip_compat::name##_chunk());   \
  }
HIP_COMPAT_STORE(__stcg, 8,
                 __hip_atomic_store(to, *from, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
HIP_COMPAT_STORE(__stwt, 8,
                 __hip_atomic_store(to, *from, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM))
HIP_COMPAT_STORE(__stcs, 16, __builtin_nontemporal_store(*from, to))
#undef HIP_COMPAT_STORE

// Synchronous copies to shared memory: the waits have no effect. As in CUDA, other threads see the
// copy after a barrier.
HIP_COMPAT_DEVICE void __pipeline_memcpy_async(void* dst_shared, const void* src_global,
                                               size_t size_and_align, size_t zfill = 0) {
  auto to = static_cast<char*>(dst_shared);
  auto from = static_cast<const char*>(src_global);
  if (zfill == 0 && size_and_align == 16) {
    __builtin_memcpy(__builtin_assume_aligned(to, 16), __builtin_assume_aligned(from, 16), 16);
  } else if (zfill == 0 && size_and_align == 8) {
    __builtin_memcpy(__builtin_assume_aligned(to, 8), __builtin_assume_aligned(from, 8), 8);
  } else if (zfill == 0 && size_and_align == 4) {
    __builtin_memcpy(__builtin_assume_aligned(to, 4), __builtin_assume_aligned(from, 4), 4);
  } else {
    for (size_t i = 0; i < size_and_align; ++i) to[i] = i + zfill < size_and_align ? from[i] : 0;
  }
}
HIP_COMPAT_DEVICE void __pipeline_commit() {}
HIP_COMPAT_DEVICE void __pipeline_wait_prior(size_t) {}

// Where a generic pointer points. Constant memory is global memory on AMD GPUs.
HIP_COMPAT_DEVICE unsigned int __isShared(const void* p) {
  return __builtin_amdgcn_is_shared(p);
}
HIP_COMPAT_DEVICE unsigned int __isLocal(const void* p) {
  return __builtin_amdgcn_is_private(p);
}
HIP_COMPAT_DEVICE unsigned int __isGlobal(const void* p) {
  return !__builtin_amdgcn_is_shared(p) && !__builtin_amdgcn_is_private(p);
}

// Offset in shared memory of a generic pointer, and back.
HIP_COMPAT_DEVICE size_t __cvta_generic_to_shared(const void* p) {
  return (size_t)(__attribute__((address_space(3))) const char*)p;
}
HIP_COMPAT_DEVICE void* __cvta_shared_to_generic(size_t offset) {
  return (void*)(__attribute__((address_space(3))) char*)offset;
}
