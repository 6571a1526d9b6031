// SPDX-License-Identifier: MIT
// A part of compat.h, which includes them in order.
namespace hip_compat {

// CUDA aligns its vectors of four 64-bit numbers to 16 bytes, HIP to 32. These have CUDA's layout,
// also in structures, files and what other programs read; and, as in CUDA, no operators. CUDA 13
// adds names that state the alignment.
#define HIP_COMPAT_FOUR_ALIGNED(name, alignment, T)                 \
  struct alignas(alignment) name {                                  \
    T x, y, z, w;                                                   \
  };                                                                \
  inline __host__ __device__ name make_##name(T x, T y, T z, T w) { \
    return {x, y, z, w};                                            \
  }
#define HIP_COMPAT_FOUR(name, T)                                        \
  HIP_COMPAT_FOUR_ALIGNED(name##4, 16, T)                               \
  HIP_COMPAT_FOUR_ALIGNED(name##4_16a, 16, T)                           \
  HIP_COMPAT_FOUR_ALIGNED(name##4_32a, 32, T)                           \
  /* What a library returns. The same type where macros rename HIP's */ \
  inline __host__ __device__ name##4 cuda_vector(const ::name##4 & v) { \
    return {v.x, v.y, v.z, v.w};                                        \
  }                                                                     \
  inline __host__ __device__ name##4 cuda_vector(const name##4 & v) {   \
    return v;                                                           \
  }
HIP_COMPAT_FOUR(double, double)
HIP_COMPAT_FOUR(long, long)
HIP_COMPAT_FOUR(ulong, unsigned long)
HIP_COMPAT_FOUR(longlong, long long)
HIP_COMPAT_FOUR(ulonglong, unsigned long long)
#undef HIP_COMPAT_FOUR
#undef HIP_COMPAT_FOUR_ALIGNED

}  // namespace hip_compat
