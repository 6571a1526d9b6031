// SPDX-License-Identifier: MIT
// __half and __half2: IEEE binary16 numbers.
#pragma once
#define HIP_INCLUDE_HIP_HIP_FP16_H

#include <hip/amd_detail/require_amd.h>

#include <hip/amd_detail/amd_hip_fp16.h>
