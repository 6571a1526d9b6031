// SPDX-License-Identifier: MIT
// fix: HW401 safe
// right: gfx942 gfx1100
// prints: 7
#include "run.h"

__global__ void store(int* out) {
  int value;
  if (threadIdx.x < 64) value = 7;
  out[0] = value;
}

int main() { return print_results<1>(store, 64); }
