// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>
#include "k.h"
__device__ float scaled(float x);
__global__ void scale(int n, float* p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = scaled(p[i]);
}
void run(int n, float* host) {
  float* p;
  cudaMalloc(&p, n * sizeof(float));
  cudaMemcpy(p, host, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<(n + 63) / 64, 64>>>(n, p);
  cudaMemcpy(host, p, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(p);
}
