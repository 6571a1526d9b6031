// SPDX-License-Identifier: MIT
// fix: HW402 safe
// right: gfx942 gfx1100
// prints: 448
#include "run.h"

__global__ void first(int* out) {
  int value;
  if (threadIdx.x % warpSize == 0) value = 7;
  value = __shfl_sync(0xffffffffffffffffull, value, 0);
  atomicAdd(&out[0], value);
}

int main() { return print_results<1>(first, 64); }
