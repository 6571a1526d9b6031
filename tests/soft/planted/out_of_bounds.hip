// SPDX-License-Identifier: MIT
// Planted bug: the bound is off by one, so one thread writes past the end of the array.
#include "../../../examples/common/check.h"

__global__ void fill(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= count) values[i] = i;  // planted: out-of-bounds
}

int main() {
  constexpr int kCount = 1000;
  int* values = nullptr;
  HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&values), kCount * sizeof(int)));
  fill<<<4, 256>>>(values, kCount);
  const hipError_t status = hipDeviceSynchronize();
  std::printf("%s\n", hipGetErrorString(status));
  return status == hipSuccess ? 0 : 1;
}
