// SPDX-License-Identifier: MIT
// hip_bfloat16: the older bfloat16 type, kept beside __hip_bfloat16 of hip_bf16.h.
#pragma once
#define _HIP_BFLOAT16_H_

#include <hip/amd_detail/require_amd.h>

#include <hip/amd_detail/amd_hip_bfloat16.h>
