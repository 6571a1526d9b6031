// SPDX-License-Identifier: MIT
// A part of compat.h, which includes them in order.
namespace hip_compat {

typedef signed char s8x4 __attribute__((ext_vector_type(4)));
typedef unsigned char u8x4 __attribute__((ext_vector_type(4)));
typedef short s16x2 __attribute__((ext_vector_type(2)));
typedef unsigned short u16x2 __attribute__((ext_vector_type(2)));
typedef int s32x4 __attribute__((ext_vector_type(4)));
typedef int s32x2 __attribute__((ext_vector_type(2)));

// Sums wrap around, hence unsigned; the products of bytes and halfwords fit in an int.
template <class V>
__host__ __device__ inline unsigned dot4(V a, V b, unsigned c) {
  for (int i = 0; i < 4; ++i) c += static_cast<unsigned>(int{a[i]} * int{b[i]});
  return c;
}
template <class A, class B>
__host__ __device__ inline unsigned dot2(A a, B b, int from, unsigned c) {
  for (int i = 0; i < 2; ++i) c += static_cast<unsigned>(int{a[i]} * int{b[from + i]});
  return c;
}

}  // namespace hip_compat

HIP_COMPAT_BOTH int __dp4a(int srcA, int srcB, int c) {
#if defined(__HIP_DEVICE_COMPILE__) && __has_builtin(__builtin_amdgcn_sdot4)
  return __builtin_amdgcn_sdot4(srcA, srcB, c, false);
#elif defined(__HIP_DEVICE_COMPILE__) && __has_builtin(__builtin_amdgcn_sudot4)
  return __builtin_amdgcn_sudot4(true, srcA, true, srcB, c, false);
#else
  using hip_compat::s8x4;
  return static_cast<int>(hip_compat::dot4(
      hip_compat::bits_as<s8x4>(srcA), hip_compat::bits_as<s8x4>(srcB), static_cast<unsigned>(c)));
#endif
}
HIP_COMPAT_BOTH unsigned int __dp4a(unsigned int srcA, unsigned int srcB, unsigned int c) {
#if defined(__HIP_DEVICE_COMPILE__) && __has_builtin(__builtin_amdgcn_udot4)
  return __builtin_amdgcn_udot4(srcA, srcB, c, false);
#else
  using hip_compat::u8x4;
  return hip_compat::dot4(hip_compat::bits_as<u8x4>(srcA), hip_compat::bits_as<u8x4>(srcB), c);
#endif
}
HIP_COMPAT_BOTH int __dp4a(char4 srcA, char4 srcB, int c) {
  return __dp4a(hip_compat::bits_as<int>(srcA), hip_compat::bits_as<int>(srcB), c);
}
HIP_COMPAT_BOTH unsigned int __dp4a(uchar4 srcA, uchar4 srcB, unsigned int c) {
  return __dp4a(hip_compat::bits_as<unsigned>(srcA), hip_compat::bits_as<unsigned>(srcB), c);
}

// The halfwords of srcA times the low (or high) two bytes of srcB.
#define HIP_COMPAT_DP2A(name, from)                                                             \
  HIP_COMPAT_BOTH int name(int srcA, int srcB, int c) {                                         \
    return static_cast<int>(hip_compat::dot2(hip_compat::bits_as<hip_compat::s16x2>(srcA),      \
                                             hip_compat::bits_as<hip_compat::s8x4>(srcB), from, \
                                             static_cast<unsigned>(c)));                        \
  }                                                                                             \
  HIP_COMPAT_BOTH unsigned int name(unsigned int srcA, unsigned int srcB, unsigned int c) {     \
    return hip_compat::dot2(hip_compat::bits_as<hip_compat::u16x2>(srcA),                       \
                            hip_compat::bits_as<hip_compat::u8x4>(srcB), from, c);              \
  }                                                                                             \
  HIP_COMPAT_BOTH int name(short2 srcA, char4 srcB, int c) {                                    \
    return name(hip_compat::bits_as<int>(srcA), hip_compat::bits_as<int>(srcB), c);             \
  }                                                                                             \
  HIP_COMPAT_BOTH unsigned int name(ushort2 srcA, uchar4 srcB, unsigned int c) {                \
    return name(hip_compat::bits_as<unsigned>(srcA), hip_compat::bits_as<unsigned>(srcB), c);   \
  }
HIP_COMPAT_DP2A(__dp2a_lo, 0)
HIP_COMPAT_DP2A(__dp2a_hi, 2)
#undef HIP_COMPAT_DP2A
