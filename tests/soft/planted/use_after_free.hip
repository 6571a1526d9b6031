// SPDX-License-Identifier: MIT
// Planted bug: a pointer is kept past hipFree, and a kernel writes through it.
#include "../../../examples/common/check.h"

__global__ void fill(int* values) {
  values[threadIdx.x] = 1;  // planted: use-after-free
}

int main() {
  int* values = nullptr;
  HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&values), 256 * sizeof(int)));
  fill<<<1, 256>>>(values);
  finish_launch();
  HIP_CHECK(hipFree(values));
  fill<<<1, 256>>>(values);
  const hipError_t status = hipDeviceSynchronize();
  std::printf("%s\n", hipGetErrorString(status));
  return status == hipSuccess ? 0 : 1;
}
