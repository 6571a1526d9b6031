// SPDX-License-Identifier: MIT
// What the programs here share: launch a kernel with one int array, and print its first elements.
#pragma once

#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP__)
#define HIP_ENABLE_WARP_SYNC_BUILTINS  // ROCm 6 declares the _sync functions only then
#include <hip/hip_runtime.h>
#else
#include <cuda_runtime.h>
#define hipMalloc cudaMalloc
#define hipMemset cudaMemset
#define hipMemcpy cudaMemcpy
#define hipMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define hipSuccess cudaSuccess
#endif

#include <cstdio>

template <int kCount, class Kernel>
int print_results(Kernel kernel, int threads) {
  int *device = nullptr, host[kCount] = {};
  if (hipMalloc(&device, sizeof host) != hipSuccess) return 1;
  if (hipMemset(device, 0, sizeof host) != hipSuccess) return 1;
  kernel<<<1, threads>>>(device);
  if (hipMemcpy(host, device, sizeof host, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  for (const int value : host) std::printf("%d ", value);
  std::printf("\n");
  return 0;
}
