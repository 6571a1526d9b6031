// SPDX-License-Identifier: MIT
// fix: HW201 unsafe
// right: gfx1100
// prints: 64
#include "run.h"

__device__ int count_selected(bool selected) {
  unsigned votes = __ballot(selected);
  return __popcll(votes);
}

__global__ void count(int* out) {
  const int votes = count_selected(threadIdx.x < 64);
  if (threadIdx.x % warpSize == 0) atomicAdd(&out[0], votes);
}

int main() { return print_results<1>(count, 64); }
