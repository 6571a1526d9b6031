// SPDX-License-Identifier: MIT
// fix: HW202 safe
// right: gfx1100
// prints: 64
#include "run.h"

__global__ void count(int* out) {
  const int votes = __popc(__ballot(threadIdx.x < 64));
  if (threadIdx.x % warpSize == 0) atomicAdd(&out[0], votes);
}

int main() {
  return print_results<1>(count, 64);
}
