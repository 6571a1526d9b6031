// SPDX-License-Identifier: MIT
// fix: HW205 unsafe
// right: gfx1100
// prints: 64
#include "run.h"

__global__ void total(int* out) {
  const int lane = threadIdx.x % warpSize;
  const int count = __shfl(lane + 1, 31);
  if (lane == 0) atomicAdd(&out[0], count);
}

int main() { return print_results<1>(total, 64); }
