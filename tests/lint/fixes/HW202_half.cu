// SPDX-License-Identifier: MIT
// fix: HW202 none
// right: gfx942 gfx1100
// prints: 64
// Two leaders of a 64-lane wave add 32 each: __popcll would count 128.
#include "run.h"

#define WARP 32

__global__ void count(int* out) {
  const int votes = __popc(__ballot(threadIdx.x < 64));
  if (threadIdx.x % 32 == 0) atomicAdd(&out[0], votes);
}

int main() { return print_results<1>(count, 64); }
