// SPDX-License-Identifier: MIT
// One block for each row; its warps meet in shared memory.
#include "rms_norm.h"

#include <cuda_runtime.h>

#include <cstdint>

namespace rowwise {

namespace {

constexpr int kWarpSize = 32;

__inline__ __device__ float sum_of_warp(float value) {
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) value += __shfl_xor_sync(uint32_t(-1), value, mask, 32);
  return value;
}

template <int kThreads>
__global__ void rms_norm_kernel(float* __restrict__ out, const float* __restrict__ in,
                                const float* __restrict__ weight, float eps, int columns) {
  __shared__ float slots[kThreads / kWarpSize];
  __shared__ float scale;
  const float* row = in + static_cast<int64_t>(blockIdx.x) * columns;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < columns; i += kThreads) {
    const float value = __ldg(row + i);
    sum += value * value;
  }
  sum = sum_of_warp(sum);
  const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize;
  if (lane == 0) slots[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < kThreads / kWarpSize ? slots[lane] : 0.0f;
    sum = sum_of_warp(sum);
    if (lane == 0) scale = rsqrtf(sum / columns + eps);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < columns; i += kThreads)
    out[static_cast<int64_t>(blockIdx.x) * columns + i] = row[i] * scale * weight[i];
}

}  // namespace

void rms_norm(float* out, const float* in, const float* weight, float eps, int rows, int columns,
              cudaStream_t stream) {
  constexpr int kThreads = 256;
  rms_norm_kernel<kThreads><<<rows, kThreads, 0, stream>>>(out, in, weight, eps, columns);
}

}  // namespace rowwise
