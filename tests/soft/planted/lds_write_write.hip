// SPDX-License-Identifier: MIT
// Planted bug: threads of different waves write different values to one place in shared memory.
#include "../../../examples/common/check.h"

constexpr int kThreads = 256;

__global__ void last_one_wins(int* out) {
  __shared__ int winner;
  winner = threadIdx.x;  // planted: lane-conflict lds-race
  __syncthreads();
  if (threadIdx.x == 0) *out = winner;
}

int main() {
  const DeviceArray<int> out(1);
  last_one_wins<<<1, kThreads>>>(out.get());
  finish_launch();
  std::printf("winner %d\n", out.download()[0]);
  return 0;
}
