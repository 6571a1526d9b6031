// SPDX-License-Identifier: MIT
// The __hip_cvt_ functions: conversions between fp8 codes and other types. Part of amd_hip_fp8.h.
#pragma once

#include <hip/amd_detail/amd_hip_bf16.h>
#include <hip/amd_detail/amd_hip_fp16.h>
#include <hip/amd_detail/amd_hip_vector_types.h>

#include <hip/amd_detail/fp8_instructions.h>

namespace __hip_detail {
__FP8_HOST_DEVICE__ inline __hip_fp8x2_storage_t fp8_pair(__hip_fp8_storage_t low,
                                                          __hip_fp8_storage_t high) {
  return static_cast<__hip_fp8x2_storage_t>(low | high << 8);
}
}  // namespace __hip_detail

// To fp8

__FP8_HOST_DEVICE_STATIC__ __hip_fp8_storage_t __hip_cvt_float_to_fp8(
    const float f, const __hip_saturation_t sat, const __hip_fp8_interpretation_t interp) {
#if HIP_FP8_CVT_FAST_PATH
  internal::__is_interpret_supported(interp);
  return internal::cast_to_f8_from_f32<false>(f, sat == __HIP_SATFINITE, interp);
#else
  return __hip_detail::fp8_encode(f, sat, interp);
#endif
}

__FP8_HOST_DEVICE_STATIC__ __hip_fp8x2_storage_t __hip_cvt_float2_to_fp8x2(
    const float2 f2, const __hip_saturation_t sat, const __hip_fp8_interpretation_t interp) {
#if HIP_FP8_CVT_FAST_PATH
  internal::__is_interpret_supported(interp);
  return internal::cast_to_f8x2_from_f32x2(f2, sat == __HIP_SATFINITE, interp);
#else
  return __hip_detail::fp8_pair(__hip_cvt_float_to_fp8(f2.x, sat, interp),
                                __hip_cvt_float_to_fp8(f2.y, sat, interp));
#endif
}

// There are no instructions for double.
__FP8_HOST_DEVICE_STATIC__ __hip_fp8_storage_t __hip_cvt_double_to_fp8(
    const double d, const __hip_saturation_t sat, const __hip_fp8_interpretation_t interp) {
  internal::__is_interpret_supported(interp);
  return __hip_detail::fp8_encode(d, sat, interp);
}

__FP8_HOST_DEVICE_STATIC__ __hip_fp8x2_storage_t __hip_cvt_double2_to_fp8x2(
    const double2 d2, const __hip_saturation_t sat, const __hip_fp8_interpretation_t interp) {
  return __hip_detail::fp8_pair(__hip_cvt_double_to_fp8(d2.x, sat, interp),
                                __hip_cvt_double_to_fp8(d2.y, sat, interp));
}

__FP8_HOST_DEVICE_STATIC__ __hip_fp8_storage_t
__hip_cvt_bfloat16raw_to_fp8(const __hip_bfloat16_raw hr, const __hip_saturation_t sat,
                             const __hip_fp8_interpretation_t interp) {
  return __hip_cvt_float_to_fp8(__bfloat162float(hr), sat, interp);
}

__FP8_HOST_DEVICE_STATIC__ __hip_fp8x2_storage_t
__hip_cvt_bfloat16raw2_to_fp8x2(const __hip_bfloat162_raw hr, const __hip_saturation_t sat,
                                const __hip_fp8_interpretation_t interp) {
  return __hip_cvt_float2_to_fp8x2(__bfloat1622float2(hr), sat, interp);
}

__FP8_HOST_DEVICE_STATIC__ __hip_fp8_storage_t __hip_cvt_halfraw_to_fp8(
    const __half_raw x, const __hip_saturation_t sat, const __hip_fp8_interpretation_t interp) {
  return __hip_cvt_float_to_fp8(static_cast<float>(x.data), sat, interp);
}

__FP8_HOST_DEVICE_STATIC__ __hip_fp8x2_storage_t __hip_cvt_halfraw2_to_fp8x2(
    const __half2_raw x, const __hip_saturation_t sat, const __hip_fp8_interpretation_t interp) {
  return __hip_cvt_float2_to_fp8x2(
      float2{static_cast<float>(x.data.x), static_cast<float>(x.data.y)}, sat, interp);
}

// From fp8

__FP8_HOST_DEVICE_STATIC__ __half_raw
__hip_cvt_fp8_to_halfraw(const __hip_fp8_storage_t x, const __hip_fp8_interpretation_t interp) {
  internal::__is_interpret_supported(interp);
  return __half_raw{__hip_detail::fp8_decode<_Float16>(x, interp)};
}

__FP8_HOST_DEVICE_STATIC__ __half2_raw __hip_cvt_fp8x2_to_halfraw2(
    const __hip_fp8x2_storage_t x, const __hip_fp8_interpretation_t interp) {
  return __half2(__hip_cvt_fp8_to_halfraw(static_cast<__hip_fp8_storage_t>(x & 0xff), interp),
                 __hip_cvt_fp8_to_halfraw(static_cast<__hip_fp8_storage_t>(x >> 8), interp));
}

namespace __hip_detail {

// What the types read their codes with. As in ROCm, an infinity of E5M2 is read by software as the
// largest finite number, unlike by the instruction, and unlike as a __half.
__FP8_HOST_DEVICE__ inline float fp8_to_float(__hip_fp8_storage_t code,
                                              __hip_fp8_interpretation_t interp) {
#if HIP_FP8_CVT_FAST_PATH
  return internal::cast_to_f32_from_f8(code, interp);
#else
  return fp8_decode<float>(code, interp, /*clip=*/true);
#endif
}
__FP8_HOST_DEVICE__ inline float2 fp8x2_to_float2(__hip_fp8x2_storage_t codes,
                                                  __hip_fp8_interpretation_t interp) {
#if HIP_FP8_CVT_FAST_PATH
  return internal::cast_to_f32x2_from_f8x2(codes, interp);
#else
  return float2{fp8_to_float(static_cast<__hip_fp8_storage_t>(codes & 0xff), interp),
                fp8_to_float(static_cast<__hip_fp8_storage_t>(codes >> 8), interp)};
#endif
}

__FP8_HOST_DEVICE__ inline bool fp8_is_nan(__hip_fp8_storage_t code,
                                           __hip_fp8_interpretation_t interp) {
  return fp8_is_fnuz(interp) ? internal::hip_fp8_fnuz_is_nan(code)
                             : internal::hip_fp8_ocp_is_nan(code, interp);
}

// Truncates; NaN becomes 0 and what is out of range the nearest end of it.
template <typename I>
__FP8_HOST_DEVICE__ inline I fp8_to_integer(__hip_fp8_storage_t code,
                                            __hip_fp8_interpretation_t interp) {
  constexpr bool is_signed = static_cast<I>(-1) < static_cast<I>(0);
  constexpr I highest = static_cast<I>(~0ull >> (64 - 8 * sizeof(I) + is_signed));
  constexpr I lowest = is_signed ? static_cast<I>(-highest - 1) : 0;
  if (fp8_is_nan(code, interp)) return 0;
  const float value = fp8_to_float(code, interp);
  if (value <= static_cast<float>(lowest)) return lowest;
  if (value >= static_cast<float>(highest)) return highest;
  return static_cast<I>(value);
}

}  // namespace __hip_detail
