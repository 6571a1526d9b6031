// SPDX-License-Identifier: MIT
// All of bf16. ROCm 6.4 has it for the HIP language only, not for ordinary host compilers.
#pragma once
#define _HIP_INCLUDE_HIP_AMD_DETAIL_HIP_BF16_H_

#include <hip/amd_detail/host_defines.h>

#if !defined(__clang__) || !defined(__HIP__)
#error "hip_bf16.h needs the HIP language: compile this file with -x hip"
#endif

#define __BF16_DEVICE__ __device__
#if defined(__HIPCC_RTC__)
#define __BF16_HOST_DEVICE__ __BF16_DEVICE__
#else
#define __BF16_HOST_DEVICE__ __host__ __BF16_DEVICE__
#endif
#define __BF16_DEVICE_STATIC__ __BF16_DEVICE__ static inline
#define __BF16_HOST_DEVICE_STATIC__ __BF16_HOST_DEVICE__ static inline

#define HIPRT_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
#define HIPRT_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define HIPRT_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define HIPRT_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define HIPRT_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define HIPRT_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define HIPRT_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)

#include <hip/amd_detail/bf16_types.h>

#include <hip/amd_detail/bf16_convert.h>

#include <hip/amd_detail/bf16_arithmetic.h>

#include <hip/amd_detail/bf16_compare.h>

#include <hip/amd_detail/bf16_math.h>

#include <hip/amd_detail/bf16_lanes.h>
