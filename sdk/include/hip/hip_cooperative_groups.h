// SPDX-License-Identifier: MIT
// Cooperative groups: groups of threads as objects. Device code only.
#pragma once

#include <hip/hip_common.h>
#include <hip/hip_version.h>

#if defined(__HIP_PLATFORM_AMD__) && !defined(__HIP_PLATFORM_NVIDIA__)
#if defined(__cplusplus) && defined(__clang__) && defined(__HIP__)
#include <hip/amd_detail/amd_hip_cooperative_groups.h>
#endif
#else
#error "this SDK is for the AMD platform: define __HIP_PLATFORM_AMD__ and no other platform"
#endif
