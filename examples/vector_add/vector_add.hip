// SPDX-License-Identifier: MIT
// The smallest whole HIP program: adds two vectors on the GPU and checks the sum on the host.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define HIP_CHECK(call)                                                              \
  do {                                                                               \
    const hipError_t status = (call);                                                \
    if (status != hipSuccess) {                                                      \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,             \
                   hipGetErrorString(status));                                       \
      std::exit(1);                                                                  \
    }                                                                                \
  } while (false)

__global__ void vector_add(const float* a, const float* b, float* sum, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) sum[i] = a[i] + b[i];
}

int main() {
  constexpr int kCount = 1 << 16;
  constexpr std::size_t kBytes = kCount * sizeof(float);
  std::vector<float> a(kCount), b(kCount), sum(kCount);
  for (int i = 0; i < kCount; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(2 * i);
  }

  float *device_a, *device_b, *device_sum;
  HIP_CHECK(hipMalloc(&device_a, kBytes));
  HIP_CHECK(hipMalloc(&device_b, kBytes));
  HIP_CHECK(hipMalloc(&device_sum, kBytes));
  HIP_CHECK(hipMemcpy(device_a, a.data(), kBytes, hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(device_b, b.data(), kBytes, hipMemcpyHostToDevice));

  constexpr int kThreads = 256;
  vector_add<<<(kCount + kThreads - 1) / kThreads, kThreads>>>(device_a, device_b, device_sum, kCount);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipMemcpy(sum.data(), device_sum, kBytes, hipMemcpyDeviceToHost));
  HIP_CHECK(hipFree(device_a));
  HIP_CHECK(hipFree(device_b));
  HIP_CHECK(hipFree(device_sum));

  for (int i = 0; i < kCount; ++i) {
    if (sum[i] != a[i] + b[i]) {
      std::printf("FAIL at %d: %g, expected %g\n", i, sum[i], a[i] + b[i]);
      return 1;
    }
  }
  std::printf("PASS: %d sums\n", kCount);
  return 0;
}
