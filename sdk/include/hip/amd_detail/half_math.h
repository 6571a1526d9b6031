// SPDX-License-Identifier: MIT
// Rounding, roots, exponentials, logarithms, sine and cosine of fp16. Part of amd_hip_fp16.h.
#pragma once

#include <hip/amd_detail/half_convert.h>

#include <hip/amd_detail/hip_fp16_math_fwd.h>

namespace {

// Each has a one-lane form hname() and a two-lane form h2name().
#define __hw_half_math(name, one, two)                   \
  inline __device__ __half h##name(__half x) {           \
    return __half_raw{one(__hip_detail::half_value(x))}; \
  }                                                      \
  inline __device__ __half2 h2##name(__half2 x) {        \
    return two(x.data);                                  \
  }
#define __hw_half_builtin(name) \
  __hw_half_math(name, __builtin_elementwise_##name, __builtin_elementwise_##name)
#define __hw_half_ocml(name) __hw_half_math(name, __ocml_##name##_f16, __ocml_##name##_2f16)

__hw_half_builtin(trunc);
__hw_half_builtin(ceil);
__hw_half_builtin(floor);
__hw_half_builtin(rint);

__hw_half_ocml(sin);
__hw_half_ocml(cos);
__hw_half_ocml(exp);
__hw_half_ocml(exp2);
__hw_half_ocml(exp10);
__hw_half_ocml(log);
__hw_half_ocml(log2);
__hw_half_ocml(log10);
__hw_half_ocml(sqrt);
__hw_half_ocml(rsqrt);

#undef __hw_half_ocml
#undef __hw_half_builtin
#undef __hw_half_math

inline __device__ __half hrcp(__half x) {
  return __half_raw{static_cast<_Float16>(1) / __hip_detail::half_value(x)};
}
inline __device__ __half2 h2rcp(__half2 x) {
  return _Float16_2{1, 1} / x.data;
}

// a.x * b.x + a.y * b.y + c in float; `saturate` clamps to [0, 1]. Not by way of __ockl_fdot2,
// which always saturates in older device libraries.
inline __device__ float amd_mixed_dot(__half2 a, __half2 b, float c, bool saturate) {
#if __has_builtin(__builtin_amdgcn_fdot2)
  return saturate ? __builtin_amdgcn_fdot2(a.data, b.data, c, true)
                  : __builtin_amdgcn_fdot2(a.data, b.data, c, false);
#else
  float sum = __builtin_fmaf(__low2float(a), __low2float(b), c);
  sum = __builtin_fmaf(__high2float(a), __high2float(b), sum);
  return saturate ? __builtin_fminf(__builtin_fmaxf(sum, 0.0f), 1.0f) : sum;
#endif
}

}  // namespace
