// SPDX-License-Identifier: MIT
// fix: HW201 none
// right: gfx942 gfx1100
// prints: 64
// Two leaders of a 64-lane wave add 32 each: a wider mask would count 128.
#include "run.h"

__global__ void count(int* out) {
  unsigned votes = __ballot(threadIdx.x < 64);
  if (threadIdx.x % 32 == 0) atomicAdd(&out[0], __popcll(votes));
}

int main() { return print_results<1>(count, 64); }
