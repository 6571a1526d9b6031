#include <cuda_runtime.h>

__global__ void sum(int* data) {
  int value = data[threadIdx.x];
  for (int step = warpSize / 2; step > 0; step /= 2)
    value += __shfl_down_sync(0xffffffff, value, step);
  if (threadIdx.x % warpSize == 0) data[threadIdx.x / warpSize] = value;
}

int lanes(int device) {
  int size = 0;
  cudaDeviceGetAttribute(&size, cudaDevAttrWarpSize, device);
  return size;
}

cudaDeviceAttr asked() { return cudaDevAttrWarpSize; }  // reports: HP304 HP204
