// SPDX-License-Identifier: MIT
// fix: HW204 unsafe
// right: gfx1100
// prints: 64
#include "run.h"

__global__ void rank(int* out) {
  const int lane = threadIdx.x % warpSize;
  const unsigned long long votes = __ballot(1);
  const unsigned below = (1u << lane) - 1;
  if (__popcll(votes & below) == lane) atomicAdd(&out[0], 1);
}

int main() { return print_results<1>(rank, 64); }
