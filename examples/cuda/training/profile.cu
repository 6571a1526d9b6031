// SPDX-License-Identifier: MIT
// Marks the parts of a training step for the profiler with NVTX.
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

#include "check.h"

__global__ void descend(float* weights, const float* gradients, float rate) {
  weights[threadIdx.x] -= rate * gradients[threadIdx.x];
}

int main() {
  const int n = 64;
  float *weights, *gradients;
  CUDA_CHECK(cudaMallocManaged(&weights, n * sizeof(float)));
  CUDA_CHECK(cudaMallocManaged(&gradients, n * sizeof(float)));
  for (int i = 0; i < n; ++i) weights[i] = 1.0f, gradients[i] = 0.5f;
  cudaProfilerStart();
  nvtxRangePushA("training step");
  nvtxMarkA("gradients are ready");
  descend<<<1, n>>>(weights, gradients, 0.5f);
  CUDA_CHECK(cudaDeviceSynchronize());
  nvtxRangePop();
  cudaProfilerStop();
  bool is_right = true;
  for (int i = 0; i < n; ++i) is_right &= weights[i] == 0.75f;
  CUDA_CHECK(cudaFree(weights));
  CUDA_CHECK(cudaFree(gradients));
  printf("profile: %s\n", is_right ? "PASS" : "FAIL");
  return is_right ? 0 : 1;
}
