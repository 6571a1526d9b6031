// SPDX-License-Identifier: MIT
// A product of small matrices: with the matrix units where the GPU has those of sm_80, else by
// hand.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#if __has_include(<hipwright/golden.h>)
#include <hipwright/golden.h>
#else
#define hipwright_golden(...)  // keeps no results
#endif

constexpr int kM = 16, kN = 8, kK = 8;

// One warp: d = a * b; a by rows, b by columns.
__global__ void multiply(const half* a, const half* b, float* d) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const int group = threadIdx.x / 4, pair = 2 * (threadIdx.x % 4);
  const unsigned a0 = *reinterpret_cast<const unsigned*>(a + group * kK + pair);
  const unsigned a1 = *reinterpret_cast<const unsigned*>(a + (group + 8) * kK + pair);
  const unsigned b0 = *reinterpret_cast<const unsigned*>(b + group * kK + pair);
  float d0, d1, d2, d3;
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
      "{%7, %8, %9, %10};"
      : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3)
      : "r"(a0), "r"(a1), "r"(b0), "f"(0.0f), "f"(0.0f), "f"(0.0f), "f"(0.0f));
  d[group * kN + pair] = d0;
  d[group * kN + pair + 1] = d1;
  d[(group + 8) * kN + pair] = d2;
  d[(group + 8) * kN + pair + 1] = d3;
#else
  for (int at = threadIdx.x; at < kM * kN; at += 32) {
    float sum = 0.0f;
    for (int k = 0; k < kK; ++k)
      sum += __half2float(a[at / kN * kK + k]) * __half2float(b[at % kN * kK + k]);
    d[at] = sum;
  }
#endif
}

template <class T>
static T* upload(const std::vector<T>& values) {
  T* array = nullptr;
  if (cudaMalloc(&array, values.size() * sizeof(T)) != cudaSuccess) return nullptr;
  cudaMemcpy(array, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return array;
}

int main() {
  std::vector<half> a, b;
  for (int i = 0; i < kM * kK; ++i) a.push_back(__float2half(static_cast<float>(i % 5) - 2.0f));
  for (int i = 0; i < kN * kK; ++i) b.push_back(__float2half(static_cast<float>(i % 3) - 1.0f));
  half *d_a = upload(a), *d_b = upload(b);
  std::vector<float> d(kM * kN, -1.0f);
  float* d_d = upload(d);
  multiply<<<1, 32>>>(d_a, d_b, d_d);
  if (cudaMemcpy(d.data(), d_d, d.size() * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess)
    return 1;
  hipwright_golden("product", d);
  int wrong = 0;
  for (int row = 0; row < kM; ++row)
    for (int column = 0; column < kN; ++column) {
      float want = 0.0f;
      for (int k = 0; k < kK; ++k)
        want += __half2float(a[row * kK + k]) * __half2float(b[column * kK + k]);
      wrong += d[row * kN + column] != want;
    }
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_d);
  puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
