// SPDX-License-Identifier: MIT
// A part of compat.h, which includes them in order.
// In the expressions a and b are vectors of two halfwords or four bytes, signed or unsigned; wide_a
// and wide_b the same as ints, for results that pass through more bits.

#define HIP_COMPAT_SIMD(name, V, W, expression)                                                   \
  HIP_COMPAT_BOTH unsigned int name(unsigned int x, unsigned int y) {                             \
    hip_compat::V a = hip_compat::bits_as<hip_compat::V>(x);                                      \
    hip_compat::V b = hip_compat::bits_as<hip_compat::V>(y);                                      \
    hip_compat::W wide_a = __builtin_convertvector(a, hip_compat::W);                             \
    hip_compat::W wide_b = __builtin_convertvector(b, hip_compat::W);                             \
    (void)wide_a, (void)wide_b;                                                                   \
    return hip_compat::bits_as<unsigned int>(__builtin_convertvector(expression, hip_compat::V)); \
  }
#define HIP_COMPAT_SIGNED(name, expression)          \
  HIP_COMPAT_SIMD(name##2, s16x2, s32x2, expression) \
  HIP_COMPAT_SIMD(name##4, s8x4, s32x4, expression)
#define HIP_COMPAT_UNSIGNED(name, expression)        \
  HIP_COMPAT_SIMD(name##2, u16x2, s32x2, expression) \
  HIP_COMPAT_SIMD(name##4, u8x4, s32x4, expression)

HIP_COMPAT_SIMD(__vadd2, u16x2, s32x2, a + b)
HIP_COMPAT_SIMD(__vsub2, u16x2, s32x2, a - b)
HIP_COMPAT_SIGNED(__vaddss, __builtin_elementwise_add_sat(a, b))
HIP_COMPAT_UNSIGNED(__vaddus, __builtin_elementwise_add_sat(a, b))
HIP_COMPAT_SIGNED(__vsubss, __builtin_elementwise_sub_sat(a, b))
HIP_COMPAT_UNSIGNED(__vsubus, __builtin_elementwise_sub_sat(a, b))
HIP_COMPAT_SIGNED(__vmaxs, __builtin_elementwise_max(a, b))
HIP_COMPAT_UNSIGNED(__vmaxu, __builtin_elementwise_max(a, b))
HIP_COMPAT_SIGNED(__vmins, __builtin_elementwise_min(a, b))
HIP_COMPAT_UNSIGNED(__vminu, __builtin_elementwise_min(a, b))
HIP_COMPAT_SIGNED(__vabsdiffs, __builtin_elementwise_abs(wide_a - wide_b))
HIP_COMPAT_UNSIGNED(__vabsdiffu, __builtin_elementwise_max(a, b) - __builtin_elementwise_min(a, b))
HIP_COMPAT_SIGNED(__vavgs, (wide_a + wide_b + ((wide_a + wide_b >= 0) & 1)) >> 1)
HIP_COMPAT_SIMD(__vavgu2, u16x2, s32x2, (wide_a + wide_b + 1) >> 1)
HIP_COMPAT_SIMD(__vhaddu2, u16x2, s32x2, (wide_a + wide_b) >> 1)
#undef HIP_COMPAT_SIMD

// The GPU has packed halfword instructions but few for bytes; these do the four bytes in one word,
// with the top bits apart so that nothing carries over.
HIP_COMPAT_BOTH unsigned int __vadd4(unsigned int a, unsigned int b) {
  return ((a & 0x7f7f7f7fu) + (b & 0x7f7f7f7fu)) ^ ((a ^ b) & 0x80808080u);
}
HIP_COMPAT_BOTH unsigned int __vsub4(unsigned int a, unsigned int b) {
  return ((a | 0x80808080u) - (b & 0x7f7f7f7fu)) ^ ((a ^ ~b) & 0x80808080u);
}
HIP_COMPAT_BOTH unsigned int __vhaddu4(unsigned int a, unsigned int b) {
  return (a & b) + ((a ^ b) >> 1 & 0x7f7f7f7fu);
}
HIP_COMPAT_BOTH unsigned int __vavgu4(unsigned int a, unsigned int b) {
  return (a | b) - ((a ^ b) >> 1 & 0x7f7f7f7fu);
}
HIP_COMPAT_BOTH unsigned int __vsetne4(unsigned int a, unsigned int b) {
  unsigned int differ = a ^ b;
  return (differ | ((differ & 0x7f7f7f7fu) + 0x7f7f7f7fu)) >> 7 & 0x01010101u;
}
HIP_COMPAT_BOTH unsigned int __vseteq4(unsigned int a, unsigned int b) {
  return __vsetne4(a, b) ^ 0x01010101u;
}
HIP_COMPAT_BOTH unsigned int __vcmpne4(unsigned int a, unsigned int b) {
  return __vsetne4(a, b) * 0xffu;
}
HIP_COMPAT_BOTH unsigned int __vcmpeq4(unsigned int a, unsigned int b) {
  return __vseteq4(a, b) * 0xffu;
}

// Comparisons: __vcmp sets all bits of an element for which it holds, __vset its lowest bit.
#define HIP_COMPAT_SIMD(name, V, W, expression)                                                   \
  HIP_COMPAT_BOTH unsigned int __vcmp##name(unsigned int x, unsigned int y) {                     \
    hip_compat::V a = hip_compat::bits_as<hip_compat::V>(x);                                      \
    hip_compat::V b = hip_compat::bits_as<hip_compat::V>(y);                                      \
    return hip_compat::bits_as<unsigned int>(expression);                                         \
  }                                                                                               \
  HIP_COMPAT_BOTH unsigned int __vset##name(unsigned int x, unsigned int y) {                     \
    return __vcmp##name(x, y) &                                                                   \
           (sizeof(hip_compat::V) / 2 == sizeof(hip_compat::V{}[0]) ? 0x00010001u : 0x01010101u); \
  }
HIP_COMPAT_SIMD(eq2, u16x2, s32x2, a == b)
HIP_COMPAT_SIMD(ne2, u16x2, s32x2, a != b)
HIP_COMPAT_SIGNED(gts, a > b)
HIP_COMPAT_SIGNED(ges, a >= b)
HIP_COMPAT_SIGNED(lts, a < b)
HIP_COMPAT_SIGNED(les, a <= b)
HIP_COMPAT_UNSIGNED(gtu, a > b)
HIP_COMPAT_UNSIGNED(geu, a >= b)
HIP_COMPAT_UNSIGNED(ltu, a < b)
HIP_COMPAT_UNSIGNED(leu, a <= b)
#undef HIP_COMPAT_SIMD
#undef HIP_COMPAT_SIGNED
#undef HIP_COMPAT_UNSIGNED

HIP_COMPAT_BOTH unsigned int __vneg2(unsigned int a) {
  return __vsub2(0, a);
}
HIP_COMPAT_BOTH unsigned int __vneg4(unsigned int a) {
  return __vsub4(0, a);
}
HIP_COMPAT_BOTH unsigned int __vnegss2(unsigned int a) {
  return __vsubss2(0, a);
}
HIP_COMPAT_BOTH unsigned int __vnegss4(unsigned int a) {
  return __vsubss4(0, a);
}
HIP_COMPAT_BOTH unsigned int __vabs2(unsigned int a) {
  return __vmaxs2(a, __vneg2(a));
}
HIP_COMPAT_BOTH unsigned int __vabs4(unsigned int a) {
  return __vmaxs4(a, __vneg4(a));
}
HIP_COMPAT_BOTH unsigned int __vabsss2(unsigned int a) {
  return __vmaxs2(a, __vnegss2(a));
}
HIP_COMPAT_BOTH unsigned int __vabsss4(unsigned int a) {
  return __vmaxs4(a, __vnegss4(a));
}

namespace hip_compat {
__host__ __device__ inline unsigned add_halfwords(unsigned x) {
  return (x & 0xffffu) + (x >> 16);
}
__host__ __device__ inline unsigned add_bytes(unsigned x) {
  return add_halfwords((x & 0x00ff00ffu) + (x >> 8 & 0x00ff00ffu));
}
}  // namespace hip_compat

// Sums of absolute differences
HIP_COMPAT_BOTH unsigned int __vsads2(unsigned int a, unsigned int b) {
  return hip_compat::add_halfwords(__vabsdiffs2(a, b));
}
HIP_COMPAT_BOTH unsigned int __vsads4(unsigned int a, unsigned int b) {
  return hip_compat::add_bytes(__vabsdiffs4(a, b));
}
HIP_COMPAT_BOTH unsigned int __vsadu2(unsigned int a, unsigned int b) {
#if defined(__HIP_DEVICE_COMPILE__)
  return __builtin_amdgcn_sad_u16(a, b, 0);
#else
  return hip_compat::add_halfwords(__vabsdiffu2(a, b));
#endif
}
HIP_COMPAT_BOTH unsigned int __vsadu4(unsigned int a, unsigned int b) {
#if defined(__HIP_DEVICE_COMPILE__)
  return __builtin_amdgcn_sad_u8(a, b, 0);
#else
  return hip_compat::add_bytes(__vabsdiffu4(a, b));
#endif
}
