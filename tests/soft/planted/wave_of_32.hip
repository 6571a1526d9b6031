// SPDX-License-Identifier: MIT
// Planted bug: the reduction starts at 16 lanes because "a warp has 32". In waves of 64 the upper
// half is never added: right on gfx1100, half the sum on gfx942. No memory error, nothing races:
// only the comparison of two targets shows it.
#include "../../../examples/common/check.h"

constexpr int kThreads = 256;

__global__ void sum(const int* values, int* total) {
  int value = values[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2)  // warpSize / 2 is meant
    value += __shfl_down(value, offset);
  if (threadIdx.x % warpSize == 0) atomicAdd(total, value);
}

int main() {
  std::vector<int> values(kThreads);
  for (int i = 0; i < kThreads; ++i) values[i] = i + 1;
  const DeviceArray<int> device_values(values);
  DeviceArray<int> total(1);
  total.zero();
  sum<<<1, kThreads>>>(device_values.get(), total.get());
  finish_launch();
  std::printf("sum %d\n", total.download()[0]);  // 32896
  return 0;
}
