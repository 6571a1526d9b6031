// SPDX-License-Identifier: MIT
// Prefix sums of a long array: within waves by shuffles, within blocks by shared memory, between
// blocks by a second pass over their totals.
#include "../common/check.h"

constexpr int kThreads = 256;
constexpr int kSmallestWave = 32;

// Inclusive prefix sum over the block.
__device__ int block_scan(int value) {
  __shared__ int totals[kThreads / kSmallestWave];
  const int lane = threadIdx.x % warpSize, wave = threadIdx.x / warpSize;
  for (int offset = 1; offset < warpSize; offset *= 2) {
    const int below = __shfl_up(value, offset);
    if (lane >= offset) value += below;
  }
  if (lane == warpSize - 1) totals[wave] = value;
  __syncthreads();
  for (int before = 0; before < wave; ++before) value += totals[before];
  return value;
}

// out: sums within each block; totals: the sum of each block.
__global__ void scan_blocks(const int* in, int* out, int* totals, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int sum = block_scan(i < count ? in[i] : 0);
  if (i < count) out[i] = sum;
  if (totals != nullptr && threadIdx.x == kThreads - 1) totals[blockIdx.x] = sum;
}

__global__ void add_totals(int* out, const int* totals, int count) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < count && blockIdx.x > 0) out[i] += totals[blockIdx.x - 1];
}

int main() {
  constexpr int kCount = 60001;
  constexpr int kBlocks = (kCount + kThreads - 1) / kThreads;
  static_assert(kBlocks <= kThreads, "the totals are scanned by one block");
  Numbers numbers(6);
  std::vector<int> in(kCount);
  for (int& value : in) value = static_cast<int>(numbers.next() % 199) - 99;

  const DeviceArray<int> device_in(in), out(kCount), totals(kBlocks);
  scan_blocks<<<kBlocks, kThreads>>>(device_in.get(), out.get(), totals.get(), kCount);
  scan_blocks<<<1, kThreads>>>(totals.get(), totals.get(), nullptr, kBlocks);
  add_totals<<<kBlocks, kThreads>>>(out.get(), totals.get(), kCount);
  finish_launch();

  const std::vector<int> got = out.download();
  Verdict verdict;
  int sum = 0;
  for (int i = 0; i < kCount; ++i) {
    sum += in[i];
    verdict.expect(got[i] == sum, "sum up to %d is %d, expected %d", i, got[i], sum);
  }
  return verdict.print("prefix sums of 60001 numbers");
}
