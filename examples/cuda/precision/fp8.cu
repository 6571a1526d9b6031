// SPDX-License-Identifier: MIT
// Weights in eight bits: both kinds of fp8, made on the host, used and made again on the GPU.
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#if __has_include(<hipwright/golden.h>)
#include <hipwright/golden.h>
#else
#define hipwright_golden(...)  // keeps no results
#endif

#define CHECK(call)                                                         \
  do {                                                                      \
    const cudaError_t status_ = call;                                       \
    if (status_ != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status_)); \
      std::exit(1);                                                         \
    }                                                                       \
  } while (false)

__global__ void dot_fp8(const __nv_fp8_e4m3* a, const __nv_fp8_e5m2* b, int n, float* out) {
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += static_cast<float>(a[i]) * static_cast<float>(b[i]);
  *out = sum;
}

// Doubles each number.
__global__ void twice(__nv_fp8_e4m3* values, int n) {
  const int i = threadIdx.x;
  if (i < n) values[i] = __nv_fp8_e4m3(2.0f * static_cast<float>(values[i]));
}

template <class T>
T* upload(const std::vector<T>& values) {
  T* array = nullptr;
  CHECK(cudaMalloc(reinterpret_cast<void**>(&array), values.size() * sizeof(T)));
  CHECK(cudaMemcpy(array, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return array;
}

int main() {
  const int n = 64;
  std::vector<__nv_fp8_e4m3> a;
  std::vector<__nv_fp8_e5m2> b;
  float expected = 0.0f;
  for (int i = 0; i < n; ++i) {
    const float x = 0.5f + 0.125f * static_cast<float>(i % 4);  // exact in both
    const float y = i % 3 == 0 ? 1.0f : 0.25f;
    a.push_back(__nv_fp8_e4m3(x));
    b.push_back(__nv_fp8_e5m2(y));
    expected += x * y;
  }
  __nv_fp8_e4m3* d_a = upload(a);
  __nv_fp8_e5m2* d_b = upload(b);
  float* d_out = upload(std::vector<float>(2));
  dot_fp8<<<1, 1>>>(d_a, d_b, n, d_out);
  twice<<<1, n>>>(d_a, n);
  dot_fp8<<<1, 1>>>(d_a, d_b, n, d_out + 1);
  CHECK(cudaGetLastError());
  float out[2];
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(d_out));
  hipwright_golden("dots", out, 2);
  const bool is_right = out[0] == expected && out[1] == 2.0f * expected;
  std::printf("%g and %g, expected %g: %s\n", out[0], out[1], expected, is_right ? "PASS" : "FAIL");
  return is_right ? 0 : 1;
}
