// SPDX-License-Identifier: MIT
// fix: HW203 unsafe
// right: cuda
// prints: 64
#include "run.h"

__global__ void broadcast(int* out) {
  const int first = __shfl_sync(0xffffffff, int(threadIdx.x % warpSize == 0), 0);
  if (threadIdx.x % warpSize == 0) atomicAdd(&out[0], first * warpSize);
}

int main() { return print_results<1>(broadcast, 64); }
