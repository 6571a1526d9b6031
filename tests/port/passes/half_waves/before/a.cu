#include <cuda_runtime.h>

__global__ void sum(int* data) {
  int value = data[threadIdx.x];
  for (int step = warpSize / 2; step > 0; step /= 2)  // reports: HP204
    value += __shfl_down_sync(0xffffffff, value, step);  // reports: HP204
  if (threadIdx.x % warpSize == 0) data[threadIdx.x / warpSize] = value;  // reports: HP204 HP204
}

int lanes(int device) {
  int size = 0;
  cudaDeviceGetAttribute(&size, cudaDevAttrWarpSize, device);  // reports: HP204
  return size;
}

cudaDeviceAttr asked() { return cudaDevAttrWarpSize; }  // reports: HP304 HP204
