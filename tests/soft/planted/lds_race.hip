// SPDX-License-Identifier: MIT
// Planted bug: a barrier is missing between writing shared memory and reading what a neighbour
// wrote. The neighbour is in another wave.
#include "../../../examples/common/check.h"

constexpr int kThreads = 256;

__global__ void rotate(const int* in, int* out) {
  __shared__ int shared[kThreads];
  shared[threadIdx.x] = in[threadIdx.x];  // planted: lds-race
  // __syncthreads() is missing.
  const int neighbour = (threadIdx.x + 64) % kThreads;
  out[threadIdx.x] = shared[neighbour];  // planted: lds-race uninitialised-store
}

int main() {
  std::vector<int> in(kThreads);
  for (int i = 0; i < kThreads; ++i) in[i] = i;
  const DeviceArray<int> device_in(in), out(kThreads);
  rotate<<<1, kThreads>>>(device_in.get(), out.get());
  finish_launch();
  std::printf("first %d\n", out.download()[0]);
  return 0;
}
