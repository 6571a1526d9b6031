#include "hip_compat.h"

__global__ void sum(int* data) {
  int value = data[threadIdx.x];
  for (int step = warp32::size / 2; step > 0; step /= 2)  // reports: HP204
    value += warp32::shfl_down_sync(0xffffffff, value, step);  // reports: HP204
  if (threadIdx.x % warp32::size == 0) data[threadIdx.x / warp32::size] = value;  // reports: HP204 HP204
}

int lanes(int device) {
  int size = 0;
  (*(&size) = 32, hipSuccess);  // reports: HP204
  return size;
}

hipDeviceAttribute_t asked() { return hipDeviceAttributeWarpSize; }  // reports: HP304 HP204
