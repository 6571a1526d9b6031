// SPDX-License-Identifier: MIT
// fp8 by the instructions of gfx942 (FNUZ) and of gfx950, gfx1200 and gfx1201 (OCP). Part of
// amd_hip_fp8.h. Namespace and names are ROCm's, because code in the wild calls them.
#pragma once

#include <hip/amd_detail/amd_hip_vector_types.h>
#include <hip/amd_detail/trap.h>

#include <hip/amd_detail/fp8_codec.h>

namespace internal {

// The instructions know one encoding; asking for the other is an error, found at run time unless
// NDEBUG is defined.
__FP8_HOST_DEVICE_STATIC__ void __is_interpret_supported(__hip_fp8_interpretation_t interp) {
#if HIP_FP8_CVT_FAST_PATH && !defined(NDEBUG)
  if (__hip_detail::fp8_is_fnuz(interp) != (HIP_FP8_TYPE_FNUZ != 0)) __hip_detail::trap();
#else
  (void)interp;
#endif
}

#if HIP_FP8_CVT_FAST_PATH

// Infinities and NaN go to the instruction as they are, and make NaN where there is no infinity.
template <bool stochastic_rounding = false>
static __device__ __hip_fp8_storage_t cast_to_f8_from_f32(float v, bool saturate,
                                                          __hip_fp8_interpretation_t interpret,
                                                          unsigned int rng = 0) {
  const bool e4m3 = __hip_detail::fp8_is_e4m3(interpret);
  if (saturate && __builtin_isfinite(v)) {
    const float limit = !e4m3 ? 57344.0f : interpret == __HIP_E4M3 ? 448.0f : 240.0f;
    v = __builtin_amdgcn_fmed3f(v, limit, -limit);
  }
  int packed;
  if (stochastic_rounding) {
    packed = e4m3 ? __builtin_amdgcn_cvt_sr_fp8_f32(v, static_cast<int>(rng), 0, 0)
                  : __builtin_amdgcn_cvt_sr_bf8_f32(v, static_cast<int>(rng), 0, 0);
  } else {
    packed = e4m3 ? __builtin_amdgcn_cvt_pk_fp8_f32(v, v, 0, false)
                  : __builtin_amdgcn_cvt_pk_bf8_f32(v, v, 0, false);
  }
  return static_cast<__hip_fp8_storage_t>(packed);
}

// ROCm, up to 7 at least, does not saturate in this form: what is out of range becomes NaN (an
// infinity in E5M2 of OCP).
static __device__ __hip_fp8x2_storage_t cast_to_f8x2_from_f32x2(
    float2 v, [[maybe_unused]] bool saturate, __hip_fp8_interpretation_t interpret) {
  return static_cast<__hip_fp8x2_storage_t>(
      __hip_detail::fp8_is_e4m3(interpret) ? __builtin_amdgcn_cvt_pk_fp8_f32(v.x, v.y, 0, false)
                                           : __builtin_amdgcn_cvt_pk_bf8_f32(v.x, v.y, 0, false));
}

static __device__ float cast_to_f32_from_f8(__hip_fp8_storage_t v,
                                            __hip_fp8_interpretation_t interpret) {
  return __hip_detail::fp8_is_e4m3(interpret) ? __builtin_amdgcn_cvt_f32_fp8(v, 0)
                                              : __builtin_amdgcn_cvt_f32_bf8(v, 0);
}

static __device__ float2 cast_to_f32x2_from_f8x2(__hip_fp8x2_storage_t v,
                                                 __hip_fp8_interpretation_t interpret) {
  auto both = __hip_detail::fp8_is_e4m3(interpret) ? __builtin_amdgcn_cvt_pk_f32_fp8(v, false)
                                                   : __builtin_amdgcn_cvt_pk_f32_bf8(v, false);
  return float2{both[0], both[1]};
}

#endif

}  // namespace internal
