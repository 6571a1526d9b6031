// SPDX-License-Identifier: MIT
// The 8-bit floating point types: E4M3 and E5M2, each in the OCP and in the FNUZ encoding.
#pragma once
#define HIP_INCLUDE_HIP_HIP_FP8_H

#include <hip/amd_detail/require_amd.h>

#include <hip/amd_detail/amd_hip_fp8.h>
