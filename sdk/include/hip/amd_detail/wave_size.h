// SPDX-License-Identifier: MIT
// Wave size of the target as a preprocessor constant, which clang 22 no longer predefines.
#pragma once

#if !defined(__AMDGCN_WAVEFRONT_SIZE)
#if defined(__AMDGCN_WAVEFRONT_SIZE__)
#define __AMDGCN_WAVEFRONT_SIZE __AMDGCN_WAVEFRONT_SIZE__
#elif defined(__HIP_DEVICE_COMPILE__) && defined(__has_builtin)
// The 32-lane ballot exists exactly when the target runs in wave32 mode, so this also follows
// -mwavefrontsize64 on gfx10 and later.
#if __has_builtin(__builtin_amdgcn_ballot_w32)
#define __AMDGCN_WAVEFRONT_SIZE 32
#else
#define __AMDGCN_WAVEFRONT_SIZE 64
#endif
#else
// The host pass sees 64 whatever the target, as with ROCm 6.4's compiler.
#define __AMDGCN_WAVEFRONT_SIZE 64
#endif
#endif

#if !defined(__AMDGCN_WAVEFRONT_SIZE__)
#define __AMDGCN_WAVEFRONT_SIZE__ __AMDGCN_WAVEFRONT_SIZE
#endif
