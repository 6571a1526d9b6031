// SPDX-License-Identifier: MIT
// The most likely tokens: block-wide sums by CUB, a device-wide sort by CUB and by Thrust.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <cub/block/block_reduce.cuh>
#include <cub/cub.cuh>

#include <vector>

#include "check.h"

constexpr int kThreads = 128;

__global__ void sum_scores(const float* scores, int n, float* total) {
  using Reduce = cub::BlockReduce<float, kThreads>;
  __shared__ typename Reduce::TempStorage storage;
  float mine = 0.0f;
  for (int i = threadIdx.x; i < n; i += kThreads) mine += scores[i];
  const float sum = Reduce(storage).Sum(mine);
  if (threadIdx.x == 0) *total = sum;
}

int main() {
  const int n = 1000;
  std::vector<float> scores(n);
  std::vector<int> tokens(n);
  for (int i = 0; i < n; ++i) {
    scores[i] = static_cast<float>((i * 271) % n);
    tokens[i] = i;
  }
  thrust::device_vector<float> keys(scores.begin(), scores.end()), sorted(n);
  thrust::device_vector<int> values(tokens.begin(), tokens.end()), ranked(n);

  float* total = nullptr;
  CUDA_CHECK(cudaMallocManaged(&total, sizeof(float)));
  sum_scores<<<1, kThreads>>>(thrust::raw_pointer_cast(keys.data()), n, total);
  CUDA_CHECK(cudaDeviceSynchronize());
  bool is_right = *total == static_cast<float>(n * (n - 1) / 2);
  is_right &= thrust::reduce(keys.begin(), keys.end(), 0.0f, thrust::plus<float>()) == *total;

  size_t size = 0;
  void* storage = nullptr;
  CUDA_CHECK(cub::DeviceRadixSort::SortPairsDescending(
      storage, size, thrust::raw_pointer_cast(keys.data()), thrust::raw_pointer_cast(sorted.data()),
      thrust::raw_pointer_cast(values.data()), thrust::raw_pointer_cast(ranked.data()), n));
  CUDA_CHECK(cudaMalloc(&storage, size));
  CUDA_CHECK(cub::DeviceRadixSort::SortPairsDescending(
      storage, size, thrust::raw_pointer_cast(keys.data()), thrust::raw_pointer_cast(sorted.data()),
      thrust::raw_pointer_cast(values.data()), thrust::raw_pointer_cast(ranked.data()), n));
  thrust::sort_by_key(thrust::device, keys.begin(), keys.end(), values.begin(),
                      thrust::greater<float>());
  is_right &=
      sorted[0] == static_cast<float>(n - 1) && ranked[0] == values[0] && keys[0] == sorted[0];
  CUDA_CHECK(cudaFree(storage));
  CUDA_CHECK(cudaFree(total));
  printf("top_tokens: %s\n", is_right ? "PASS" : "FAIL");
  return is_right ? 0 : 1;
}
