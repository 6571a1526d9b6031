// SPDX-License-Identifier: MIT
// fix: HW101 unsafe
// right: gfx1100
// prints: 2016 1
#include "run.h"

#define WARP_SIZE 32

__global__ void sum(int* out) {
  int value = threadIdx.x;
  for (int step = WARP_SIZE / 2; step > 0; step /= 2) value += __shfl_down(value, step);
  if (threadIdx.x % WARP_SIZE == 0) atomicAdd(&out[0], value);
  // One leader per wave adds its share: 64 threads in all.
  const unsigned long long all = __ballot(1);
  if (threadIdx.x % WARP_SIZE == 0 && all >> (WARP_SIZE - 1) == 1) atomicAdd(&out[1], WARP_SIZE);
  __syncthreads();
  if (threadIdx.x == 0) out[1] /= 64;
}

int main() {
  return print_results<2>(sum, 64);
}
