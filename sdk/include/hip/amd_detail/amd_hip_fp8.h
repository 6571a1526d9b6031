// SPDX-License-Identifier: MIT
// All of fp8. ROCm 6.4 has it for the HIP language only, not for ordinary host compilers.
//
// A target with fp8 instructions has device code for one encoding only, that of the hardware; the
// types of the other are there for host code. Targets without have both, in software, as has the
// host.
#pragma once
#define _HIP_INCLUDE_HIP_AMD_DETAIL_HIP_FP8_H_

#include <hip/amd_detail/host_defines.h>

#if !defined(__clang__) || !defined(__HIP__)
#error "hip_fp8.h needs the HIP language: compile this file with -x hip"
#endif

#if __HIP_DEVICE_COMPILE__ && defined(__gfx942__)
#define HIP_FP8_CVT_FAST_PATH 1
#define HIP_FP8_TYPE_OCP 0
#define HIP_FP8_TYPE_FNUZ 1
#elif __HIP_DEVICE_COMPILE__ && \
    (defined(__gfx950__) || defined(__gfx1200__) || defined(__gfx1201__))
#define HIP_FP8_CVT_FAST_PATH 1
#define HIP_FP8_TYPE_OCP 1
#define HIP_FP8_TYPE_FNUZ 0
#else
#define HIP_FP8_CVT_FAST_PATH 0
#define HIP_FP8_TYPE_OCP 1
#define HIP_FP8_TYPE_FNUZ 1
#endif

#if defined(__HIPCC_RTC__)
#define __FP8_HOST_DEVICE__ __device__
#else
#define __FP8_HOST_DEVICE__ __host__ __device__
#endif
#define __FP8_HOST_DEVICE_STATIC__ __FP8_HOST_DEVICE__ static inline
#define __FP8_HOST__ __host__
#define __FP8_HOST_STATIC__ __FP8_HOST__ static inline

enum __hip_fp8_interpretation_t {
  __HIP_E4M3 = 0,
  __HIP_E5M2 = 1,
  __HIP_E4M3_FNUZ = 2,
  __HIP_E5M2_FNUZ = 3,
};

enum __hip_saturation_t {
  __HIP_NOSAT = 0,
  __HIP_SATFINITE = 1,
};

typedef unsigned char __hip_fp8_storage_t;
typedef unsigned short int __hip_fp8x2_storage_t;
typedef unsigned int __hip_fp8x4_storage_t;

#include <hip/amd_detail/fp8_codec.h>

#include <hip/amd_detail/fp8_instructions.h>

#include <hip/amd_detail/fp8_convert.h>

#include <hip/amd_detail/fp8_types.h>
