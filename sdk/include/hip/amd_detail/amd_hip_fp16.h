// SPDX-License-Identifier: MIT
// All of fp16. Ordinary host compilers get the types and their conversions only.
#pragma once
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_FP16_H

#include <hip/amd_detail/host_defines.h>

#if defined(__HIPCC_RTC__)
#define __HOST_DEVICE__ __device__
#else
#include <assert.h>  // ROCm's header has it, and programs use it
#define __HOST_DEVICE__ __host__ __device__
#endif

#if defined(__clang__) && defined(__HIP__)
#include <hip/amd_detail/half_types.h>

#include <hip/amd_detail/half_convert.h>

#include <hip/amd_detail/half_compare.h>

#include <hip/amd_detail/half_arithmetic.h>

#include <hip/amd_detail/half_math.h>

#include <hip/amd_detail/half_lanes.h>
#else
#include <hip/amd_detail/half_host_only.h>
#endif
