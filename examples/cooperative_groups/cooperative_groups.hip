// SPDX-License-Identifier: MIT
// Groups of threads as objects: tiles within a wave, the lanes that happen to be together, and the
// whole grid, which meets twice in one launch.
#include <hip/hip_cooperative_groups.h>

#include "../common/check.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 128, kBlocks = 8;

template <class Tile>
__device__ int tile_sum(const Tile& tile, int value) {
  for (unsigned offset = tile.size() / 2; offset > 0; offset /= 2)
    value += tile.shfl_xor(value, offset);
  return value;
}

__global__ void tiles(const int* in, int* sums, int* counts) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const int i = blockIdx.x * kThreads + block.thread_rank();
  const int sum = tile_sum(tile, in[i]);
  if (tile.thread_rank() == 0) sums[i / 16] = sum;
  block.sync();

  // One atomic for all lanes that found something.
  if (in[i] % 3 == 0) {
    const cg::coalesced_group found = cg::coalesced_threads();
    if (found.thread_rank() == 0) atomicAdd(counts, static_cast<int>(found.size()));
  }
}

// Normalises by the sum over the grid: needs all blocks to be there at once.
__global__ void normalise(float* values, float* partial, int count) {
  __shared__ float own[kThreads];
  const cg::grid_group grid = cg::this_grid();
  const int first = static_cast<int>(grid.thread_rank());
  float sum = 0;
  for (int i = first; i < count; i += kThreads * kBlocks) sum += values[i];
  own[threadIdx.x] = sum;
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) own[threadIdx.x] += own[threadIdx.x + half];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = own[0];
  grid.sync();
  float total = 0;
  for (int block = 0; block < kBlocks; ++block) total += partial[block];
  grid.sync();
  for (int i = first; i < count; i += kThreads * kBlocks) values[i] /= total;
}

int main() {
  constexpr int kCount = kThreads * kBlocks, kValues = 5000;
  Numbers numbers(11);
  std::vector<int> in(kCount);
  int multiples = 0;
  for (int& value : in) {
    value = static_cast<int>(numbers.next() % 1000);
    multiples += value % 3 == 0;
  }
  const DeviceArray<int> device_in(in), sums(kCount / 16);
  DeviceArray<int> counts(1);
  counts.zero();
  tiles<<<kBlocks, kThreads>>>(device_in.get(), sums.get(), counts.get());
  finish_launch();

  Verdict verdict;
  const std::vector<int> got_sums = sums.download();
  for (int tile = 0; tile < kCount / 16; ++tile) {
    int want = 0;
    for (int i = 0; i < 16; ++i) want += in[tile * 16 + i];
    verdict.expect(got_sums[tile] == want, "tile %d adds up to %d, expected %d", tile,
                   got_sums[tile], want);
  }
  const int count = counts.download()[0];
  verdict.expect(count == multiples, "%d multiples of three, expected %d", count, multiples);

  int cooperative = 0;
  HIP_CHECK(hipDeviceGetAttribute(&cooperative, hipDeviceAttributeCooperativeLaunch, 0));
  if (cooperative == 0) return verdict.print("tiles and coalesced groups (no cooperative launch)");
  std::vector<float> values = numbers.units(kValues);
  for (float& value : values) value += 1.5F;
  const DeviceArray<float> device_values(values), partial(kBlocks);
  float* pointers[] = {device_values.get(), partial.get()};
  int value_count = kValues;
  void* arguments[] = {&pointers[0], &pointers[1], &value_count};
  HIP_CHECK(hipLaunchCooperativeKernel(reinterpret_cast<const void*>(normalise), dim3(kBlocks),
                                       dim3(kThreads), arguments, 0, nullptr));
  finish_launch();
  double total = 0;
  for (const float value : values) total += value;
  const std::vector<float> normalised = device_values.download();
  for (int i = 0; i < kValues; ++i)
    verdict.expect_near("normalised", i, normalised[i], values[i] / total, 1e-7);
  return verdict.print("tiles, coalesced groups and a grid that meets");
}
