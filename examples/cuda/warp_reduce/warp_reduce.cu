// SPDX-License-Identifier: MIT
// Statistics of an array with warp functions: its sum, the maximum of each warp, its positive
// values packed together, and a histogram in which equal lanes add once.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "warp.cuh"

#if __has_include(<hipwright/golden.h>)
#include <hipwright/golden.h>
#else
#define hipwright_golden(...)  // keeps no results
#endif

#define CHECK(call)                                                       \
  if (cudaError_t err = (call); err != cudaSuccess) {                     \
    printf("%s at %s:%d\n", cudaGetErrorString(err), __FILE__, __LINE__); \
    exit(1);                                                              \
  }

__global__ void sum_kernel(const float* in, int n, float* out) {
  float mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    mine += in[i];
  mine = block_sum(mine);
  if (threadIdx.x == 0) atomicAdd(out, mine);
}

__global__ void max_per_warp(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float largest = warp_max(in[i]);
  if (lane_of() == 0) out[i / WARP_SIZE] = largest;
}

// Positive values, packed; one atomic for each warp.
__global__ void pack_positive(const float* in, int n, float* out, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = i < n ? in[i] : -1.0f;
  const unsigned int positive = __ballot_sync(0xffffffff, value > 0.0f);
  if (positive == 0u) return;
  const int leader = __ffs(positive) - 1;
  int base = 0;
  if (lane_of() == leader) base = atomicAdd(count, __popc(positive));
  base = __shfl_sync(0xffffffffu, base, leader);
  if (value > 0.0f) out[base + rank_among(positive)] = value;
}

// Lanes with the same key find each other, and the first of them adds for all.
__global__ void histogram(const int* keys, int n, int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned active = __activemask();
  const unsigned same = __match_any_sync(active, keys[i]);
  if (lane_of() == __ffs(same) - 1) atomicAdd(&bins[keys[i]], __popc(same));
  __syncwarp();
}

// Does any, does every lane of a warp hold a key above the limit? 31 - clz is the last that does.
__global__ void vote(const int* keys, int limit, int* any, int* all, int* last) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int warp = i >> 5;
  const bool above = keys[i] > limit;
  const uint32_t lanes = __ballot_sync(FULL_MASK, above);
  const int is_any = __any_sync(FULL_MASK, above);
  const int is_all = __all_sync(FULL_MASK, above);
  if ((threadIdx.x & 31) == 0) {
    any[warp] = is_any;
    all[warp] = is_all;
    last[warp] = lanes ? 31 - __clz(lanes) : -1;
  }
}

template <class T>
T* device_array(const std::vector<T>& values) {
  T* array = nullptr;
  CHECK(cudaMalloc(&array, values.size() * sizeof(T)));
  CHECK(cudaMemcpy(array, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return array;
}

template <class T>
std::vector<T> host_copy(const T* array, size_t count) {
  std::vector<T> values(count);
  CHECK(cudaMemcpy(values.data(), array, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

int main() {
  const int n = 1024, threads = 256, warps = n / WARP_SIZE, bins = 9;
  std::vector<float> values(n);
  std::vector<int> keys(n);
  unsigned state = 12345;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    values[i] = static_cast<float>(static_cast<int>(state >> 24) - 128);
    keys[i] = static_cast<int>(state >> 8) % bins;
    if (keys[i] < 0) keys[i] += bins;
  }
  float* d_values = device_array(values);
  int* d_keys = device_array(keys);
  float* d_sum = device_array(std::vector<float>(1));
  float* d_max = device_array(std::vector<float>(warps));
  float* d_packed = device_array(std::vector<float>(n));
  int* d_count = device_array(std::vector<int>(1));
  int* d_bins = device_array(std::vector<int>(bins));
  int* d_any = device_array(std::vector<int>(warps));
  int* d_all = device_array(std::vector<int>(warps));
  int* d_last = device_array(std::vector<int>(warps));

  sum_kernel<<<2, threads>>>(d_values, n, d_sum);
  max_per_warp<<<n / threads, threads>>>(d_values, d_max);
  pack_positive<<<n / threads, threads>>>(d_values, n - 5, d_packed, d_count);
  histogram<<<n / threads, threads>>>(d_keys, n - 3, d_bins);
  vote<<<n / threads, threads>>>(d_keys, 6, d_any, d_all, d_last);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  int wrong = 0;
  float sum = 0;
  for (float value : values) sum += value;
  wrong += host_copy(d_sum, 1)[0] != sum;

  const auto largest = host_copy(d_max, warps);
  const auto any = host_copy(d_any, warps), all = host_copy(d_all, warps),
             last = host_copy(d_last, warps);
  hipwright_golden("largest", largest);
  hipwright_golden("any", any);
  hipwright_golden("all", all);
  hipwright_golden("last", last);
  hipwright_golden("bins", host_copy(d_bins, bins));
  for (int warp = 0; warp < warps; ++warp) {
    float expected = -1e9f;
    int above = 0, last_above = -1;
    for (int lane = 0; lane < 32; ++lane) {
      const int i = warp * 32 + lane;
      expected = values[i] > expected ? values[i] : expected;
      if (keys[i] > 6) ++above, last_above = lane;
    }
    wrong += largest[warp] != expected;
    wrong += any[warp] != (above > 0) || all[warp] != (above == 32) || last[warp] != last_above;
  }

  float packed_sum = 0, positive_sum = 0;
  int positive = 0;
  for (int i = 0; i < n - 5; ++i)
    if (values[i] > 0) positive_sum += values[i], ++positive;
  const int count = host_copy(d_count, 1)[0];
  wrong += count != positive;
  for (float value : host_copy(d_packed, count)) packed_sum += value;
  wrong += packed_sum != positive_sum;

  std::vector<int> expected(bins);
  for (int i = 0; i < n - 3; ++i) ++expected[keys[i]];
  wrong += host_copy(d_bins, bins) != expected;

  for (void* each : {(void*)d_values, (void*)d_sum, (void*)d_max, (void*)d_packed}) cudaFree(each);
  for (int* each : {d_keys, d_count, d_bins, d_any, d_all, d_last}) cudaFree(each);
  if (wrong != 0)
    printf("FAIL: %d wrong\n", wrong);
  else
    printf("PASS\n");
  return wrong != 0;
}
