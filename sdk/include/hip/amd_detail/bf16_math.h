// SPDX-License-Identifier: MIT
// Rounding, roots, exponentials, logarithms, sine and cosine of bf16. Part of amd_hip_bf16.h.
// All are the float functions, rounded once more.
#pragma once

#include <hip/amd_detail/bf16_convert.h>

#include <hip/amd_detail/device_library_decls.h>

// Each has a one-lane form hname() and a two-lane form h2name().
#define __hw_bf16_math(name, function)                                       \
  __BF16_DEVICE_STATIC__ __hip_bfloat16 h##name(const __hip_bfloat16 h) {    \
    return __float2bfloat16(function(__bfloat162float(h)));                  \
  }                                                                          \
  __BF16_DEVICE_STATIC__ __hip_bfloat162 h2##name(const __hip_bfloat162 h) { \
    return __hip_bfloat162(h##name(h.x), h##name(h.y));                      \
  }

__hw_bf16_math(ceil, __builtin_elementwise_ceil);
__hw_bf16_math(floor, __builtin_elementwise_floor);
__hw_bf16_math(rint, __builtin_elementwise_rint);
__hw_bf16_math(trunc, __builtin_elementwise_trunc);
__hw_bf16_math(cos, __ocml_cos_f32);
__hw_bf16_math(sin, __ocml_sin_f32);
__hw_bf16_math(exp, __ocml_exp_f32);
__hw_bf16_math(exp10, __ocml_exp10_f32);
__hw_bf16_math(exp2, __ocml_exp2_f32);
__hw_bf16_math(log, __ocml_log_f32);
__hw_bf16_math(log10, __ocml_log10_f32);
__hw_bf16_math(log2, __ocml_log2_f32);
__hw_bf16_math(sqrt, __ocml_sqrt_f32);
__hw_bf16_math(rsqrt, __ocml_rsqrt_f32);
__hw_bf16_math(rcp, 1.0f /);

#undef __hw_bf16_math
