// SPDX-License-Identifier: MIT
// Comparisons, minimum and maximum of fp16. Part of amd_hip_fp16.h.
#pragma once

#include <hip/amd_detail/half_convert.h>

namespace {

// For each relation a scalar function, a __half2 of 1.0 and 0.0, and whether it holds in both
// lanes. Names that end in u ("unordered") are also true when an operand is NaN; only for __hb…u2
// ROCm takes the plain relation.

#define __hw_relation(name, expression)                                        \
  inline __HOST_DEVICE__ bool __h##name(__half x, __half y) {                  \
    _Float16 a = __hip_detail::half_value(x), b = __hip_detail::half_value(y); \
    return expression;                                                         \
  }
#define __hw_relation2(name, expression)                              \
  inline __HOST_DEVICE__ __half2 __h##name##2(__half2 x, __half2 y) { \
    _Float16_2 a = x.data, b = y.data;                                \
    return __builtin_convertvector(-(expression), _Float16_2);        \
  }
#define __hw_relation_in_both(name, ordered)                        \
  inline __HOST_DEVICE__ bool __hb##name##2(__half2 x, __half2 y) { \
    return __h##ordered(x.x, y.x) && __h##ordered(x.y, y.y);        \
  }

#define __hw_relations(name, op, opposite)  \
  __hw_relation(name, a op b);              \
  __hw_relation(name##u, !(a opposite b));  \
  __hw_relation2(name, a op b);             \
  __hw_relation2(name##u, ~(a opposite b)); \
  __hw_relation_in_both(name, name);        \
  __hw_relation_in_both(name##u, name)

__hw_relations(ne, !=, ==);
__hw_relations(le, <=, >);
__hw_relations(ge, >=, <);
__hw_relations(lt, <, >=);
__hw_relations(gt, >, <=);

__hw_relation(eq, a == b);
__hw_relation(equ, !(a < b) && !(a > b));
__hw_relation2(eq, a == b);
__hw_relation2(equ, ~((a < b) | (a > b)));
__hw_relation_in_both(eq, eq);
__hw_relation_in_both(equ, eq);

#undef __hw_relations
#undef __hw_relation_in_both
#undef __hw_relation2
#undef __hw_relation

inline __HOST_DEVICE__ bool __hisnan(__half x) {
  return (__half_as_ushort(x) & 0x7fff) > 0x7c00;
}
inline __HOST_DEVICE__ bool __hisinf(__half x) {
  return (__half_as_ushort(x) & 0x7fff) == 0x7c00;
}
inline __HOST_DEVICE__ __half2 __hisnan2(__half2 x) {
  return _Float16_2{static_cast<_Float16>(__hisnan(x.x)), static_cast<_Float16>(__hisnan(x.y))};
}
inline __device__ __half2 __hisinf2(__half2 x) {
  return _Float16_2{static_cast<_Float16>(__hisinf(x.x)), static_cast<_Float16>(__hisinf(x.y))};
}

// The plain ones prefer a number over a NaN, the _nan ones a NaN over a number.

inline __HOST_DEVICE__ __half __hmax(const __half x, const __half y) {
#if __HIP_DEVICE_COMPILE__
  return __half_raw{
      __builtin_elementwise_max(__hip_detail::half_value(x), __hip_detail::half_value(y))};
#else
  return __hisnan(x) || __hlt(x, y) ? y : x;
#endif
}
inline __HOST_DEVICE__ __half __hmin(const __half x, const __half y) {
#if __HIP_DEVICE_COMPILE__
  return __half_raw{
      __builtin_elementwise_min(__hip_detail::half_value(x), __hip_detail::half_value(y))};
#else
  return __hisnan(x) || __hgt(x, y) ? y : x;
#endif
}
inline __HOST_DEVICE__ __half __hmax_nan(const __half x, const __half y) {
  return __hisnan(x) ? x : __hisnan(y) ? y : __hmax(x, y);
}
inline __HOST_DEVICE__ __half __hmin_nan(const __half x, const __half y) {
  return __hisnan(x) ? x : __hisnan(y) ? y : __hmin(x, y);
}

}  // namespace
