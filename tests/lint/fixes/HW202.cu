// SPDX-License-Identifier: MIT
// fix: HW202 safe
// right: gfx1100
// prints: 64 0
#include "run.h"

__global__ void count(int* out) {
  const int votes = __popc(__ballot(threadIdx.x < 64));
  const int first = __ffs(__ballot(threadIdx.x >= 0)) - 1;
  if (threadIdx.x % warpSize == 0) atomicAdd(&out[0], votes);
  if (threadIdx.x % warpSize == 0) atomicAdd(&out[1], first);
}

int main() { return print_results<2>(count, 64); }
