// SPDX-License-Identifier: MIT
// The device library's functions on halves. clang's own wrapper header declares them too; the
// repetition serves compilations without it.
#pragma once

#include <hip/amd_detail/host_defines.h>

extern "C" {

typedef _Float16 __2f16 __attribute__((ext_vector_type(2)));
typedef short __2i16 __attribute__((ext_vector_type(2)));

#define __hw_ocml(attribute, name)                                              \
  __device__ __attribute__((attribute)) _Float16 __ocml_##name##_f16(_Float16); \
  __device__ __attribute__((attribute)) __2f16 __ocml_##name##_2f16(__2f16);

__hw_ocml(const, ceil);
__hw_ocml(const, fabs);
__hw_ocml(const, floor);
__hw_ocml(const, rint);
__hw_ocml(const, rsqrt);
__hw_ocml(const, sqrt);
__hw_ocml(const, trunc);
__hw_ocml(pure, exp);
__hw_ocml(pure, exp10);
__hw_ocml(pure, exp2);
__hw_ocml(pure, log);
__hw_ocml(pure, log10);
__hw_ocml(pure, log2);

#undef __hw_ocml

__device__ _Float16 __ocml_cos_f16(_Float16);
__device__ _Float16 __ocml_sin_f16(_Float16);
__device__ __2f16 __ocml_cos_2f16(__2f16);
__device__ __2f16 __ocml_sin_2f16(__2f16);
__device__ __attribute__((pure)) _Float16 __ocml_pown_f16(_Float16, int);

__device__ __attribute__((const)) _Float16 __ocml_fma_f16(_Float16, _Float16, _Float16);
__device__ __attribute__((const)) __2f16 __ocml_fma_2f16(__2f16, __2f16, __2f16);
__device__ __attribute__((const)) _Float16 __ocml_fmax_f16(_Float16, _Float16);
__device__ __attribute__((const)) _Float16 __ocml_fmin_f16(_Float16, _Float16);
__device__ __attribute__((const)) int __ocml_isinf_f16(_Float16);
__device__ __attribute__((const)) int __ocml_isnan_f16(_Float16);
__device__ __attribute__((const)) __2i16 __ocml_isinf_2f16(__2f16);
__device__ __attribute__((const)) __2i16 __ocml_isnan_2f16(__2f16);

// Rounding toward -inf, +inf and zero. Older device libraries lack these.
__device__ __attribute__((const)) _Float16 __ocml_cvtrtn_f16_f32(float);
__device__ __attribute__((const)) _Float16 __ocml_cvtrtp_f16_f32(float);
__device__ __attribute__((const)) _Float16 __ocml_cvtrtz_f16_f32(float);

#if defined(__clang__) && defined(__HIP__)
__device__ __attribute__((const)) float __ockl_fdot2(__2f16, __2f16, float, bool);
#endif

}  // extern "C"
