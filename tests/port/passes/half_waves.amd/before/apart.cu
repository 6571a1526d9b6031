#include <cuda_runtime.h>

__global__ void halve(int* data) {
  data[threadIdx.x] = __shfl_down_sync(0xffffffff, data[threadIdx.x], 16);
}

int lanes(const cudaDeviceProp& prop) { return prop.warpSize; }  // reports: HP306
