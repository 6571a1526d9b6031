#include "hip_compat.h"
__global__ void rotate(int* data, int distance) {  // reports: HP302
  int lane = threadIdx.x & 31;
  data[threadIdx.x] = warp32::shfl_sync(0xffffffff, data[threadIdx.x], (lane + distance) % 32);
}
