// SPDX-License-Identifier: MIT
// Unpacks 4-bit weights, multiplies them with activations staged in shared memory, and hands the
// last block a job: all with the instructions of ptx.cuh.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "ptx.cuh"

#if __has_include(<hipwright/golden.h>)
#include <hipwright/golden.h>
#else
#define hipwright_golden(...)  // keeps no results
#endif

#define CHECK(call)                                                          \
  do {                                                                       \
    cudaError_t error = call;                                                \
    if (error != cudaSuccess) {                                              \
      fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
      exit(1);                                                               \
    }                                                                        \
  } while (0)

constexpr int kThreads = 128;
constexpr int kPerThread = 8;  // 4-bit weights in one word

// out[block] = sum of weights * activations; weights are stored with their bytes reversed.
__global__ void unpack_and_multiply(const unsigned* weights, const float* activations, float* out,
                                    int* done, int* total) {
  __shared__ alignas(16) float staged[kThreads * kPerThread];
  __shared__ float partial[kThreads];
  const int thread = threadIdx.x;
  const float* mine = activations + (blockIdx.x * kThreads + thread) * kPerThread;
  copy_to_shared(&staged[thread * kPerThread], mine);
  copy_to_shared(&staged[thread * kPerThread + 4], mine + 4);
  copies_done();
  __syncthreads();

  const unsigned word = reverse_bytes(weights[blockIdx.x * kThreads + thread]);
  float sum = 0.0f;
  for (int i = 0; i < kPerThread; ++i)
    sum += static_cast<float>(extract_bits(word, 4 * i, 4)) * staged[thread * kPerThread + i];
  partial[thread] = sum;
  fence_block();
  __syncthreads();

  if (thread == 0) {
    float block_sum = 0.0f;
    for (int i = 0; i < kThreads; ++i) block_sum += partial[i];
    out[blockIdx.x] = block_sum;
    fence_gpu();
    if (add_with_result(done, 1) == static_cast<int>(gridDim.x) - 1) *total = 1;
  }
}

__global__ void bit_games(const float* in, unsigned* out, int* lanes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned bits = __float_as_uint(load_once(in + i));
  const unsigned small = insert_bits(0xf0f0f0f0u, bits >> 20, 8, 12);
  out[i] = and_or(small, 0x00ffff00u, lane_id());
  // Each lane counts those before it: 0 + 1 + ... + 31 for every warp.
  add_without_result(lanes, __popc(lanes_below()));
  // And once more by shuffles; nothing is added when it is the same.
  const int sum = sum_of_warp(static_cast<int>(lane_id()));
  const unsigned even = lanes_with(lane_id() % 2 == 0);
  if (sum != 31 * 32 / 2 || even != 0x55555555u) add_without_result(lanes, 1);
}

int main() {
  const int blocks = 4, n = blocks * kThreads;
  std::vector<unsigned> weights(n);
  std::vector<float> activations(n * kPerThread);
  for (int i = 0; i < n; ++i) weights[i] = 2654435761u * (i + 1);
  for (size_t i = 0; i < activations.size(); ++i) activations[i] = static_cast<float>(i % 5) - 2.0f;

  unsigned *d_weights, *d_bits;
  float *d_activations, *d_out;
  int *d_done, *d_total, *d_lanes;
  CHECK(cudaMalloc((void**)&d_weights, n * sizeof(unsigned)));
  CHECK(cudaMalloc((void**)&d_bits, n * sizeof(unsigned)));
  CHECK(cudaMalloc((void**)&d_activations, activations.size() * sizeof(float)));
  CHECK(cudaMalloc((void**)&d_out, blocks * sizeof(float)));
  CHECK(cudaMalloc((void**)&d_done, 3 * sizeof(int)));
  CHECK(cudaMemset(d_done, 0, 3 * sizeof(int)));
  d_total = d_done + 1;
  d_lanes = d_done + 2;
  CHECK(cudaMemcpy(d_weights, weights.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_activations, activations.data(), activations.size() * sizeof(float),
                   cudaMemcpyHostToDevice));
  unpack_and_multiply<<<blocks, kThreads>>>(d_weights, d_activations, d_out, d_done, d_total);
  CHECK(cudaGetLastError());
  bit_games<<<blocks, kThreads>>>(d_activations, d_bits, d_lanes);
  CHECK(cudaGetLastError());

  std::vector<float> out(blocks);
  std::vector<unsigned> bits(n);
  int counters[3];
  CHECK(cudaMemcpy(out.data(), d_out, blocks * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(bits.data(), d_bits, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(counters, d_done, sizeof counters, cudaMemcpyDeviceToHost));

  hipwright_golden("products", out);
  hipwright_golden("bits", bits);
  hipwright_golden("counters", counters, 3);
  int wrong = 0;
  for (int block = 0; block < blocks; ++block) {
    float expected = 0;
    for (int i = block * kThreads; i < (block + 1) * kThreads; ++i) {
      const unsigned w = weights[i];
      const unsigned word = w >> 24 | (w >> 8 & 0xff00u) | (w << 8 & 0xff0000u) | w << 24;
      for (int k = 0; k < kPerThread; ++k)
        expected += static_cast<float>(word >> (4 * k) & 15u) * activations[i * kPerThread + k];
    }
    wrong += out[block] != expected;
  }
  for (int i = 0; i < n; ++i) {
    unsigned value;
    memcpy(&value, &activations[i], sizeof value);
    const unsigned small = (0xf0f0f0f0u & ~0xfff00u) | (value >> 20 & 0xfffu) << 8;
    wrong += bits[i] != ((small & 0x00ffff00u) | static_cast<unsigned>(i % 32));
  }
  wrong += counters[0] != blocks || counters[1] != 1 || counters[2] != n / 32 * (31 * 32 / 2);
  cudaFree(d_weights);
  cudaFree(d_bits);
  cudaFree(d_activations);
  cudaFree(d_out);
  cudaFree(d_done);
  printf("%s\n", wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
