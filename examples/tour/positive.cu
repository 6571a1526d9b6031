// SPDX-License-Identifier: MIT
// Statistics of the positive values of an array: how many there are, their sum, and where each goes
// when they are packed together.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#if __has_include(<hipwright/golden.h>)
#include <hipwright/golden.h>
#endif

#define CHECK(call)                                                            \
  if (cudaError_t error = (call); error != cudaSuccess) {                      \
    std::printf("%s in line %d\n", cudaGetErrorString(error), __LINE__);       \
    std::exit(1);                                                              \
  }

constexpr unsigned kAll = 0xffffffff;

__global__ void count_positive(const float* x, int n, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_positive = i < n && x[i] > 0.0f;
#if defined(__HIP_PLATFORM_AMD__)
  // Ported by hand, some time ago.
  const unsigned lanes = __ballot(is_positive);
  if (threadIdx.x % warpSize == 0) atomicAdd(count, __popc(lanes));
#else
  const unsigned lanes = __ballot_sync(kAll, is_positive);
  if (threadIdx.x % 32 == 0) atomicAdd(count, __popc(lanes));
#endif
}

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(kAll, value, offset);
  return value;
}

// One sum for each block of 256 threads.
__global__ void sum_positive(const float* x, int n, float* sums) {
  __shared__ float of_warp[8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float part = warp_sum(i < n ? fmaxf(x[i], 0.0f) : 0.0f);
  if ((threadIdx.x & 31) == 0) of_warp[threadIdx.x >> 5] = part;
  __syncthreads();
  if (threadIdx.x < 32) {
    const float all = warp_sum(threadIdx.x < 8 ? of_warp[threadIdx.x] : 0.0f);
    if (threadIdx.x == 0) sums[blockIdx.x] = all;
  }
}

// Each positive value's place among those of its warp, from 0; -1 for the others.
__global__ void rank_positive(const float* x, int n, int* rank) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_positive = i < n && x[i] > 0.0f;
  const unsigned lanes = __ballot_sync(kAll, is_positive);
  const unsigned before = (1u << (threadIdx.x & 31)) - 1;
  if (i < n) rank[i] = is_positive ? __popc(lanes & before) : -1;
}

template <class T>
std::vector<T> to_host(const T* from, int count) {
  std::vector<T> to(count);
  CHECK(cudaMemcpy(to.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost));
  return to;
}

int main() {
  const int n = 4000, threads = 256, blocks = (n + threads - 1) / threads;
  std::vector<float> values(n);
  unsigned state = 12345;
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) / (1 << 23) - 1.0f;
  }
  float *x, *sums;
  int *count, *rank;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&sums, blocks * sizeof(float)));
  CHECK(cudaMalloc(&count, sizeof(int)));
  CHECK(cudaMalloc(&rank, n * sizeof(int)));
  CHECK(cudaMemcpy(x, values.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(count, 0, sizeof(int)));
  count_positive<<<blocks, threads>>>(x, n, count);
  sum_positive<<<blocks, threads>>>(x, n, sums);
  rank_positive<<<blocks, threads>>>(x, n, rank);
  CHECK(cudaDeviceSynchronize());

  const std::vector<int> counted = to_host(count, 1), ranks = to_host(rank, n);
  const std::vector<float> summed = to_host(sums, blocks);
#if __has_include(<hipwright/golden.h>)
  hipwright_golden("count", counted);
  hipwright_golden("sums", summed);
  hipwright_golden("ranks", ranks);
#endif
  int expected = 0, wrong = 0;
  for (int i = 0; i < n; ++i) {
    expected += values[i] > 0;
    int before = 0;
    for (int j = i / 32 * 32; j < i; ++j) before += values[j] > 0;
    wrong += ranks[i] != (values[i] > 0 ? before : -1);
  }
  for (int block = 0; block < blocks; ++block) {
    double sum = 0;
    for (int i = block * threads; i < n && i < (block + 1) * threads; ++i)
      sum += std::fmax(values[i], 0.0f);
    wrong += std::fabs(summed[block] - sum) > 1e-4;
  }
  std::printf("%d positive values, expected %d; %d other results are wrong\n", counted[0], expected,
              wrong);
  const bool is_right = counted[0] == expected && wrong == 0;
  std::printf(is_right ? "PASS\n" : "FAIL\n");
  return is_right ? 0 : 1;
}
