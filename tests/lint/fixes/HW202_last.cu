// SPDX-License-Identifier: MIT
// fix: HW202 unsafe
// right: gfx1100
// prints: 64
#include "run.h"

__global__ void last(int* out) {
  const int lane = 31 - __clz(__ballot(threadIdx.x < 64));
  if (threadIdx.x % warpSize == 0) atomicAdd(&out[0], lane + 1);
}

int main() { return print_results<1>(last, 64); }
