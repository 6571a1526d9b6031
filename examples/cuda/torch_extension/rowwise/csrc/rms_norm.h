// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

namespace rowwise {

// out = in / rms(in) * weight, row by row.
void rms_norm(float* out, const float* in, const float* weight, float eps, int rows, int columns,
              cudaStream_t stream);

}  // namespace rowwise
