// SPDX-License-Identifier: MIT
// fix: HW201 safe
// right: gfx1100
// prints: 64
#include "run.h"

__global__ void count(int* out) {
  unsigned votes = __ballot(threadIdx.x < 64);
  if (threadIdx.x % warpSize == 0) atomicAdd(&out[0], __popcll(votes));
}

int main() { return print_results<1>(count, 64); }
