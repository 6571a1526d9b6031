// SPDX-License-Identifier: MIT
// __hip_bfloat16 and __hip_bfloat162: the upper half of a float, with CUDA's function names.
#pragma once
#define HIP_INCLUDE_HIP_HIP_BF16_H

#include <hip/amd_detail/require_amd.h>

#include <hip/amd_detail/amd_hip_bf16.h>
