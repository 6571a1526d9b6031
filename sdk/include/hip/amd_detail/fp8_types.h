// SPDX-License-Identifier: MIT
// The fp8 structs: one, two and four numbers of each encoding. Part of amd_hip_fp8.h.
#pragma once

#include <hip/amd_detail/fp8_convert.h>

// fp8_struct.inc defines the three structs of the encoding that these macros describe.

#if !defined(__HIPCC_RTC__) || HIP_FP8_TYPE_FNUZ
#if HIP_FP8_TYPE_FNUZ
#define __hw_fp8_where __FP8_HOST_DEVICE__
#else
#define __hw_fp8_where __FP8_HOST__
#endif

#define __hw_fp8_one __hip_fp8_e4m3_fnuz
#define __hw_fp8_two __hip_fp8x2_e4m3_fnuz
#define __hw_fp8_four __hip_fp8x4_e4m3_fnuz
#define __hw_fp8_interpretation __HIP_E4M3_FNUZ
#define __hw_fp8_exponent_bits 4
#include <hip/amd_detail/fp8_struct.inc>

#define __hw_fp8_one __hip_fp8_e5m2_fnuz
#define __hw_fp8_two __hip_fp8x2_e5m2_fnuz
#define __hw_fp8_four __hip_fp8x4_e5m2_fnuz
#define __hw_fp8_interpretation __HIP_E5M2_FNUZ
#define __hw_fp8_exponent_bits 5
#include <hip/amd_detail/fp8_struct.inc>

#undef __hw_fp8_where
#endif

#if !defined(__HIPCC_RTC__) || HIP_FP8_TYPE_OCP
#if HIP_FP8_TYPE_OCP
#define __hw_fp8_where __FP8_HOST_DEVICE__
#else
#define __hw_fp8_where __FP8_HOST__
#endif

#define __hw_fp8_one __hip_fp8_e4m3
#define __hw_fp8_two __hip_fp8x2_e4m3
#define __hw_fp8_four __hip_fp8x4_e4m3
#define __hw_fp8_interpretation __HIP_E4M3
#define __hw_fp8_exponent_bits 4
#include <hip/amd_detail/fp8_struct.inc>

#define __hw_fp8_one __hip_fp8_e5m2
#define __hw_fp8_two __hip_fp8x2_e5m2
#define __hw_fp8_four __hip_fp8x4_e5m2
#define __hw_fp8_interpretation __HIP_E5M2
#define __hw_fp8_exponent_bits 5
#include <hip/amd_detail/fp8_struct.inc>

#undef __hw_fp8_where
#endif
