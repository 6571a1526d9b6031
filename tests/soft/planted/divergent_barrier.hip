// SPDX-License-Identifier: MIT
// Planted bug: a barrier that not all threads reach. Waves that skip it end, or wait for ever,
// depending on the target.
#include "../../../examples/common/check.h"

constexpr int kThreads = 128;

__global__ void half_a_barrier(int* out) {
  __shared__ int shared[kThreads];
  shared[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 40) {
    __syncthreads();  // planted: barrier-divergence
    out[threadIdx.x] = shared[threadIdx.x ^ 1];
  }
}

int main() {
  const DeviceArray<int> out(kThreads);
  half_a_barrier<<<1, kThreads>>>(out.get());
  finish_launch();
  std::printf("first %d\n", out.download()[0]);
  return 0;
}
