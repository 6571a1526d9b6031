// SPDX-License-Identifier: MIT
// Wave size of the target as a preprocessor constant, which clang 22 no longer predefines. The
// compilers of ROCm 6.4 to 7.1 do; those of 7.0 and 7.1 warn when a program uses it.
#pragma once

#include <hip/amd_detail/level.h>

#if defined(__HW_WAVE_SIZE)  // the driver says it, because clang lets no header see
                             // -mwavefrontsize64
#elif defined(__AMDGCN_WAVEFRONT_SIZE) && __AMDGCN_WAVEFRONT_SIZE == 32
#define __HW_WAVE_SIZE 32
#elif defined(__AMDGCN_WAVEFRONT_SIZE)
#define __HW_WAVE_SIZE 64
#elif defined(__HIP_DEVICE_COMPILE__) && defined(__has_builtin)
// The 32-lane ballot exists exactly when the target runs in wave32 mode, so this also follows
// -mwavefrontsize64 on gfx10 and later.
#if __has_builtin(__builtin_amdgcn_ballot_w32)
#define __HW_WAVE_SIZE 32
#else
#define __HW_WAVE_SIZE 64
#endif
#else
// The host pass sees 64 whatever the target, as with ROCm 6.4's compiler.
#define __HW_WAVE_SIZE 64
#endif

#if __HW_ROCM < 702
#if !defined(__AMDGCN_WAVEFRONT_SIZE)
#define __AMDGCN_WAVEFRONT_SIZE __HW_WAVE_SIZE
#endif
#if !defined(__AMDGCN_WAVEFRONT_SIZE__)
#define __AMDGCN_WAVEFRONT_SIZE__ __HW_WAVE_SIZE
#endif
#if __HW_ROCM >= 700 && defined(__clang__)
// clang-format off
#pragma clang deprecated(__AMDGCN_WAVEFRONT_SIZE, "compile-time-constant access to the wavefront size will be removed in a future release")
#pragma clang deprecated(__AMDGCN_WAVEFRONT_SIZE__, "compile-time-constant access to the wavefront size will be removed in a future release")
// clang-format on
#endif
#endif
