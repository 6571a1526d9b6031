// SPDX-License-Identifier: MIT
// Planted bug: blocks add to one counter without an atomic.
#include "../../../examples/common/check.h"

__global__ void count(const int* values, int* total) {
  if (threadIdx.x == 0) *total = *total + values[blockIdx.x];  // planted: grid-race
}

int main() {
  constexpr int kBlocks = 64;
  const DeviceArray<int> values(std::vector<int>(kBlocks, 1));
  DeviceArray<int> total(1);
  total.zero();
  count<<<kBlocks, 64>>>(values.get(), total.get());
  finish_launch();
  std::printf("total %d\n", total.download()[0]);
  return 0;
}
