// SPDX-License-Identifier: MIT
// char1 to double4. As in ROCm, C code gets them only through hip_complex.h.
#pragma once

#include <hip/hip_common.h>

#if defined(__cplusplus)
#include <hip/amd_detail/amd_hip_vector_types.h>
#endif
