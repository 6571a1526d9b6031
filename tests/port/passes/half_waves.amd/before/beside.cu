#include <cuda_runtime.h>
#include "lanes.h"

__global__ void sum(int* data) {
  int value = data[threadIdx.x];
  for (int step = WARP_SIZE / 2; step > 0; step /= 2)
    value += __shfl_down_sync(0xffffffff, value, step);  // reports: HP306 HP204
  if (threadIdx.x % WARP_SIZE == 0) data[threadIdx.x / WARP_SIZE] = value;
}
