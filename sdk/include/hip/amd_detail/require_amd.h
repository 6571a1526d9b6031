// SPDX-License-Identifier: MIT
// Stops compilation unless AMD, and AMD alone, is the platform.
#pragma once

#include <hip/hip_common.h>

#if defined(__HIP_PLATFORM_AMD__) && defined(__HIP_PLATFORM_NVIDIA__)
#error \
    "__HIP_PLATFORM_AMD__ and __HIP_PLATFORM_NVIDIA__ are both defined: define exactly one of them"
#elif defined(__HIP_PLATFORM_NVIDIA__)
#error \
    "HIP on NVIDIA needs ROCm's hipother headers: these headers are for __HIP_PLATFORM_AMD__ only"
#elif !defined(__HIP_PLATFORM_AMD__)
#error "HIP platform not chosen: compile as HIP (-x hip) or define __HIP_PLATFORM_AMD__"
#endif
