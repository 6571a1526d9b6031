// SPDX-License-Identifier: MIT
// Everything hip_runtime.h gives for AMD. An ordinary C or C++ compiler gets the host API only.
#pragma once

#include <hip/amd_detail/amd_hip_common.h>
#include <hip/hip_common.h>
#if defined(__HIPCC_RTC__)
#include <hip/amd_detail/rtc_std.h>
#include <hip/amd_detail/rtc_types.h>
#elif defined(__cplusplus)
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>
#else
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#endif

// What the debugger asks of the library.
#if defined(__cplusplus)
extern "C" {
#endif
const char* amd_dbgapi_get_build_name();
const char* amd_dbgapi_get_git_hash();
size_t amd_dbgapi_get_build_id();
#if defined(__cplusplus)
}
#endif

#if __HIP_CLANG_ONLY__

#if !defined(__align__)
#define __align__(x) __attribute__((aligned(x)))
#endif

#define CUDA_SUCCESS hipSuccess

#if defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__
#define __HIP_ARCH_HAS_GLOBAL_INT32_ATOMICS__ (1)
#define __HIP_ARCH_HAS_GLOBAL_FLOAT_ATOMIC_EXCH__ (1)
#define __HIP_ARCH_HAS_SHARED_INT32_ATOMICS__ (1)
#define __HIP_ARCH_HAS_SHARED_FLOAT_ATOMIC_EXCH__ (1)
#define __HIP_ARCH_HAS_FLOAT_ATOMIC_ADD__ (1)
#define __HIP_ARCH_HAS_GLOBAL_INT64_ATOMICS__ (1)
#define __HIP_ARCH_HAS_SHARED_INT64_ATOMICS__ (1)
#define __HIP_ARCH_HAS_DOUBLES__ (1)
#define __HIP_ARCH_HAS_WARP_VOTE__ (1)
#define __HIP_ARCH_HAS_WARP_BALLOT__ (1)
#define __HIP_ARCH_HAS_WARP_SHUFFLE__ (1)
#define __HIP_ARCH_HAS_WARP_FUNNEL_SHIFT__ (0)
#define __HIP_ARCH_HAS_THREAD_FENCE_SYSTEM__ (1)
#define __HIP_ARCH_HAS_SYNC_THREAD_EXT__ (0)
#define __HIP_ARCH_HAS_SURFACE_FUNCS__ (0)
#define __HIP_ARCH_HAS_3DGRID__ (1)
#define __HIP_ARCH_HAS_DYNAMIC_PARALLEL__ (0)
#endif

#include <hip/amd_detail/builtin_index.h>
#include <hip/amd_detail/launch.h>
#include <hip/amd_detail/wave_size.h>

#include <hip/amd_detail/amd_hip_vector_types.h>

#include <hip/amd_detail/amd_device_functions.h>
#include <hip/amd_detail/amd_hip_atomic.h>
#include <hip/amd_detail/amd_math_functions.h>
#include <hip/amd_detail/amd_surface_functions.h>
#include <hip/amd_detail/amd_warp_functions.h>
#include <hip/amd_detail/amd_warp_sync_functions.h>
#include <hip/amd_detail/hip_assert.h>
#include <hip/amd_detail/hip_ldg.h>
#include <hip/amd_detail/sync_functions.h>
#include <hip/amd_detail/texture_fetch_functions.h>
#include <hip/amd_detail/texture_indirect_functions.h>

#endif  // __HIP_CLANG_ONLY__
