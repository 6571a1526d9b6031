#include "hip_compat.h"

__global__ void halve(int* data) {
  data[threadIdx.x] = warp32::shfl_down_sync(0xffffffff, data[threadIdx.x], 16);
}

int lanes(const hipDeviceProp_t& prop) { return prop.warpSize; }  // reports: HP306
