// SPDX-License-Identifier: MIT
// Complex numbers over float2 and double2. The operators of these types work element by element:
// multiply and divide with hipCmul and hipCdiv. Intermediate results are not scaled, so they
// overflow where std::complex would not.
#pragma once

#include <hip/amd_detail/amd_hip_vector_types.h>

#if !defined(__HIPCC_RTC__)
#if defined(__cplusplus)
#include <cmath>
#else
#include <math.h>
#endif
#endif

typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

// The functions of one precision; `f` is the suffix of their names.
#define __hw_complex(C, T, make, f, square_root)                                     \
  __HOST_DEVICE__ static inline C make(T a, T b) {                                   \
    C z;                                                                             \
    z.x = a;                                                                         \
    z.y = b;                                                                         \
    return z;                                                                        \
  }                                                                                  \
  __HOST_DEVICE__ static inline T hipCreal##f(C z) {                                 \
    return z.x;                                                                      \
  }                                                                                  \
  __HOST_DEVICE__ static inline T hipCimag##f(C z) {                                 \
    return z.y;                                                                      \
  }                                                                                  \
  __HOST_DEVICE__ static inline C hipConj##f(C z) {                                  \
    return make(z.x, -z.y);                                                          \
  }                                                                                  \
  __HOST_DEVICE__ static inline T hipCsqabs##f(C z) {                                \
    return z.x * z.x + z.y * z.y;                                                    \
  }                                                                                  \
  __HOST_DEVICE__ static inline T hipCabs##f(C z) {                                  \
    return square_root(hipCsqabs##f(z));                                             \
  }                                                                                  \
  __HOST_DEVICE__ static inline C hipCadd##f(C p, C q) {                             \
    return make(p.x + q.x, p.y + q.y);                                               \
  }                                                                                  \
  __HOST_DEVICE__ static inline C hipCsub##f(C p, C q) {                             \
    return make(p.x - q.x, p.y - q.y);                                               \
  }                                                                                  \
  __HOST_DEVICE__ static inline C hipCmul##f(C p, C q) {                             \
    return make(p.x * q.x - p.y * q.y, p.y * q.x + p.x * q.y);                       \
  }                                                                                  \
  __HOST_DEVICE__ static inline C hipCdiv##f(C p, C q) {                             \
    T length = hipCsqabs##f(q);                                                      \
    return make((p.x * q.x + p.y * q.y) / length, (p.y * q.x - p.x * q.y) / length); \
  }                                                                                  \
  __HOST_DEVICE__ static inline C hipCfma##f(C p, C q, C r) {                        \
    return make(p.x * q.x + r.x - p.y * q.y, q.x * p.y + r.y + p.x * q.y);           \
  }

__hw_complex(hipFloatComplex, float, make_hipFloatComplex, f, sqrtf);
__hw_complex(hipDoubleComplex, double, make_hipDoubleComplex, , sqrt);

#undef __hw_complex

__HOST_DEVICE__ static inline hipComplex make_hipComplex(float x, float y) {
  return make_hipFloatComplex(x, y);
}
__HOST_DEVICE__ static inline hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex z) {
  return make_hipFloatComplex((float)z.x, (float)z.y);
}
__HOST_DEVICE__ static inline hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex z) {
  return make_hipDoubleComplex((double)z.x, (double)z.y);
}
