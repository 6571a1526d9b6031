#include "hip_compat.h"

__global__ void sum(int* data) {
  int value = data[threadIdx.x];
  for (int step = warp32::size / 2; step > 0; step /= 2)
    value += warp32::shfl_down_sync(0xffffffff, value, step);
  if (threadIdx.x % warp32::size == 0) data[threadIdx.x / warp32::size] = value;
}

int lanes(int device) {
  int size = 0;
  (*(&size) = 32, hipSuccess);
  return size;
}

hipDeviceAttribute_t asked() { return hipDeviceAttributeWarpSize; }  // reports: HP304 HP204
