// SPDX-License-Identifier: MIT
// Cooperative groups: rows of a matrix are normalised by tiles of different sizes, and a whole grid
// meets at a barrier.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
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

namespace cg = cooperative_groups;

#define CHECK(x)                                                                \
  {                                                                             \
    cudaError_t e = x;                                                          \
    if (e != cudaSuccess)                                                       \
      printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e)), exit(1); \
  }

constexpr int kColumns = 64;

// One row for each tile.
template <int kTile>
__global__ void softmax_rows(const float* in, float* out, int rows) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<kTile> tile = cg::tiled_partition<kTile>(block);
  const int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  if (row >= rows) return;
  const float* from = in + row * kColumns;
  float largest = -INFINITY;
  for (int i = tile.thread_rank(); i < kColumns; i += tile.size())
    largest = fmaxf(largest, from[i]);
  largest = cg::reduce(tile, largest, cg::greater<float>());
  float sum = 0.0f;
  for (int i = tile.thread_rank(); i < kColumns; i += tile.size()) sum += expf(from[i] - largest);
  sum = cg::reduce(tile, sum, cg::plus<float>());
  for (int i = tile.thread_rank(); i < kColumns; i += tile.size())
    out[row * kColumns + i] = expf(from[i] - largest) / sum;
}

// Votes and shuffles of a tile of 32.
__global__ void count_large(const float* in, float limit, int* counts) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned large = tile.ballot(in[i] > limit);
  const int first = tile.shfl(i, 0);
  if (tile.thread_rank() == 0) counts[first / 32] = __popc(large);
}

// Lanes that are together in a branch add once.
__global__ void count_odd(const int* values, int* count) {
  if (values[threadIdx.x] % 2 != 0) {
    cg::coalesced_group together = cg::coalesced_threads();
    if (together.thread_rank() == 0) atomicAdd(count, static_cast<int>(together.size()));
  }
}

// All blocks write, all blocks wait, then each reads what its neighbour wrote.
__global__ void shift_across_blocks(int* values) {
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) values[blockIdx.x] = 10 * blockIdx.x;
  grid.sync();
  const int next = values[(blockIdx.x + 1) % gridDim.x];
  grid.sync();
  if (threadIdx.x == 0) values[blockIdx.x] = next;
}

int main() {
  const int rows = 32, n = rows * kColumns;
  std::vector<float> in(n);
  for (int i = 0; i < n; ++i) in[i] = 0.25f * ((i * 37) % 23);
  float *d_in, *d_out;
  int *d_counts, *d_values, *d_odd;
  CHECK(cudaMalloc(&d_in, n * sizeof(float)));
  CHECK(cudaMalloc(&d_out, 2 * n * sizeof(float)));
  CHECK(cudaMalloc(&d_counts, n / 32 * sizeof(int)));
  CHECK(cudaMalloc(&d_values, 128 * sizeof(int)));
  CHECK(cudaMalloc(&d_odd, sizeof(int)));
  CHECK(cudaMemset(d_odd, 0, sizeof(int)));
  CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  std::vector<int> numbers(128);
  for (int i = 0; i < 128; ++i) numbers[i] = i * i + i / 3;
  CHECK(cudaMemcpy(d_values, numbers.data(), 128 * sizeof(int), cudaMemcpyHostToDevice));

  softmax_rows<32><<<rows / 4, 128>>>(d_in, d_out, rows);
  softmax_rows<16><<<rows / 8, 128>>>(d_in, d_out + n, rows);
  count_large<<<n / 128, 128>>>(d_in, 3.0f, d_counts);
  count_odd<<<1, 128>>>(d_values, d_odd);
  CHECK(cudaDeviceSynchronize());
  std::vector<float> out(2 * n);
  std::vector<int> counts(n / 32), shifted(4);
  int odd = 0;
  CHECK(cudaMemcpy(out.data(), d_out, 2 * n * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(counts.data(), d_counts, n / 32 * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&odd, d_odd, sizeof(int), cudaMemcpyDeviceToHost));

  void* arguments[] = {&d_values};
  CHECK(
      cudaLaunchCooperativeKernel((void*)shift_across_blocks, dim3(4), dim3(64), arguments, 0, 0));
  CHECK(cudaMemcpy(shifted.data(), d_values, 4 * sizeof(int), cudaMemcpyDeviceToHost));

  hipwright_golden("softmax", out);
  hipwright_golden("large", counts);
  hipwright_golden("shifted", shifted);
  int wrong = 0;
  for (int row = 0; row < rows; ++row) {
    double sum = 0, largest = -1e30;
    for (int i = 0; i < kColumns; ++i) largest = std::fmax(largest, in[row * kColumns + i]);
    for (int i = 0; i < kColumns; ++i) sum += std::exp(in[row * kColumns + i] - largest);
    for (int i = 0; i < kColumns; ++i) {
      const double expected = std::exp(in[row * kColumns + i] - largest) / sum;
      wrong += std::fabs(out[row * kColumns + i] - expected) > 1e-5;
      wrong += std::fabs(out[n + row * kColumns + i] - expected) > 1e-5;
    }
  }
  for (int tile = 0; tile < n / 32; ++tile) {
    int expected = 0;
    for (int i = 0; i < 32; ++i) expected += in[tile * 32 + i] > 3.0f;
    wrong += counts[tile] != expected;
  }
  int expected_odd = 0;
  for (int value : numbers) expected_odd += value % 2 != 0;
  wrong += odd != expected_odd;
  for (int i = 0; i < 4; ++i) wrong += shifted[i] != 10 * ((i + 1) % 4);
  cudaFree(d_in), cudaFree(d_out), cudaFree(d_counts), cudaFree(d_values), cudaFree(d_odd);
  puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
