// SPDX-License-Identifier: MIT
// The HIP language and runtime: what a kernel file includes. hip_runtime_api.h is the host API
// alone, for C, too.
#pragma once
#define HIP_INCLUDE_HIP_HIP_RUNTIME_H  // ROCm's guard: some programs test it

#if !defined(__HIPCC_RTC__)
#include <hip/amd_detail/level.h>
#include <stdint.h>
#include <stdlib.h>
// ROCm 7.0 left these out.
#if __HW_ROCM < 700
#include <assert.h>
#include <stdio.h>
#if defined(__cplusplus)
#include <thread>
#endif
#endif
#endif

#include <hip/amd_detail/require_amd.h>
#include <hip/hip_version.h>

#include <hip/amd_detail/wave_size.h>
#if __HW_ROCM < 700 && defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__ && \
    !defined(__GFX9__) && !defined(__GFX8__) && !defined(__GFX7__) && __HW_WAVE_SIZE == 64
#error "HIP supports wave64 on gfx9 and older only: compile this target without -mwavefrontsize64"
#endif

#include <hip/amd_detail/amd_hip_runtime.h>
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime_api.h>
#include <hip/library_types.h>
#endif
#include <hip/hip_vector_types.h>
