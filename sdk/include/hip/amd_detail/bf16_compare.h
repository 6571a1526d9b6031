// SPDX-License-Identifier: MIT
// Comparisons, minimum and maximum of bf16. Part of amd_hip_bf16.h.
#pragma once

#include <hip/amd_detail/bf16_convert.h>

// Names that end in u ("unordered") are also true when an operand is NaN.

#define __hw_relation(name, expression)                                                        \
  __BF16_HOST_DEVICE_STATIC__ bool __h##name(const __hip_bfloat16 a, const __hip_bfloat16 b) { \
    float x = a, y = b;                                                                        \
    return expression;                                                                         \
  }
#define __hw_relation_in_both(name, combine)                                \
  __BF16_HOST_DEVICE_STATIC__ bool __hb##name##2(const __hip_bfloat162 a,   \
                                                 const __hip_bfloat162 b) { \
    return __h##name(a.x, b.x) combine __h##name(a.y, b.y);                 \
  }
#define __hw_relation2(name)                                                          \
  __BF16_HOST_DEVICE_STATIC__ __hip_bfloat162 __h##name##2(const __hip_bfloat162 a,   \
                                                           const __hip_bfloat162 b) { \
    return __hip_bfloat162(__h##name(a.x, b.x) ? HIPRT_ONE_BF16 : HIPRT_ZERO_BF16,    \
                           __h##name(a.y, b.y) ? HIPRT_ONE_BF16 : HIPRT_ZERO_BF16);   \
  }

__hw_relation(eq, x == y);
__hw_relation(ne, x != y);
__hw_relation(le, x <= y);
__hw_relation(ge, x >= y);
__hw_relation(lt, x < y);
__hw_relation(gt, x > y);
__hw_relation(equ, !(x < y) && !(x > y));
__hw_relation(neu, !(x == y));
__hw_relation(leu, !(x > y));
__hw_relation(geu, !(x < y));
__hw_relation(ltu, !(x >= y));
__hw_relation(gtu, !(x <= y));

// Whether it holds in both lanes; for neu ROCm asks for one lane only.
__hw_relation_in_both(eq, &&);
__hw_relation_in_both(ne, &&);
__hw_relation_in_both(le, &&);
__hw_relation_in_both(ge, &&);
__hw_relation_in_both(lt, &&);
__hw_relation_in_both(gt, &&);
__hw_relation_in_both(equ, &&);
__hw_relation_in_both(neu, ||);
__hw_relation_in_both(leu, &&);
__hw_relation_in_both(geu, &&);
__hw_relation_in_both(ltu, &&);
__hw_relation_in_both(gtu, &&);

// 1.0 or 0.0 in each lane
__hw_relation2(eq);
__hw_relation2(ne);
__hw_relation2(le);
__hw_relation2(ge);
__hw_relation2(lt);

#undef __hw_relation2
#undef __hw_relation_in_both
#undef __hw_relation

// ROCm, up to 7 at least, has 1.0 in the upper lane of the next two whatever the operands.
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat162 __hgt2(const __hip_bfloat162 a,
                                                   const __hip_bfloat162 b) {
  return __hip_bfloat162(__hgt(a.x, b.x) ? HIPRT_ONE_BF16 : HIPRT_ZERO_BF16, HIPRT_ONE_BF16);
}

__BF16_HOST_DEVICE_STATIC__ int __hisinf(const __hip_bfloat16 a) {
  return (__bfloat16_as_ushort(a) & 0x7fff) == 0x7f80;
}
__BF16_HOST_DEVICE_STATIC__ bool __hisnan(const __hip_bfloat16 a) {
  return (__bfloat16_as_ushort(a) & 0x7fff) > 0x7f80;
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat162 __hisnan2(const __hip_bfloat162 a) {
  return __hip_bfloat162(__hisnan(a.x) ? HIPRT_ONE_BF16 : HIPRT_ZERO_BF16, HIPRT_ONE_BF16);
}

// Of a number and a NaN the result is the number.
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat16 __hmax(const __hip_bfloat16 a, const __hip_bfloat16 b) {
#if __HIP_DEVICE_COMPILE__
  return __float2bfloat16(__builtin_elementwise_max(__bfloat162float(a), __bfloat162float(b)));
#else
  return __hisnan(a) || __hlt(a, b) ? b : a;
#endif
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat16 __hmin(const __hip_bfloat16 a, const __hip_bfloat16 b) {
#if __HIP_DEVICE_COMPILE__
  return __float2bfloat16(__builtin_elementwise_min(__bfloat162float(a), __bfloat162float(b)));
#else
  return __hisnan(a) || __hgt(a, b) ? b : a;
#endif
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat162 __hmax2(const __hip_bfloat162 a,
                                                    const __hip_bfloat162 b) {
  return __hip_bfloat162(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
__BF16_HOST_DEVICE_STATIC__ __hip_bfloat162 __hmin2(const __hip_bfloat162 a,
                                                    const __hip_bfloat162 b) {
  return __hip_bfloat162(__hmin(a.x, b.x), __hmin(a.y, b.y));
}

// Operators

#define __hw_operator(op, function)                                                                \
  __BF16_HOST_DEVICE_STATIC__ bool operator op(const __hip_bfloat16& l, const __hip_bfloat16& r) { \
    return function(l, r);                                                                         \
  }
__hw_operator(==, __heq);
__hw_operator(!=, __hne);
__hw_operator(<, __hlt);
__hw_operator(<=, __hle);
__hw_operator(>, __hgt);
__hw_operator(>=, __hge);
#undef __hw_operator

__BF16_HOST_DEVICE_STATIC__ bool operator==(const __hip_bfloat162& l, const __hip_bfloat162& r) {
  return __hbeq2(l, r);
}
__BF16_HOST_DEVICE_STATIC__ bool operator!=(const __hip_bfloat162& l, const __hip_bfloat162& r) {
  return !(l == r);
}

// ROCm, up to 7 at least, compares the left side's lower lane with both lanes of the right side and
// does not look at its upper lane.
#define __hw_operator(op)                                                  \
  __BF16_HOST_DEVICE_STATIC__ bool operator op(const __hip_bfloat162& l,   \
                                               const __hip_bfloat162& r) { \
    float lower = l.x;                                                     \
    return lower op __low2float(r) && lower op __high2float(r);            \
  }
__hw_operator(<);
__hw_operator(<=);
__hw_operator(>);
__hw_operator(>=);
#undef __hw_operator
