// SPDX-License-Identifier: MIT
// Softmax of each row of a matrix: one block per row, the maximum first so that nothing overflows.
#include "../common/check.h"

constexpr int kThreads = 128;
constexpr int kSmallestWave = 32;

// The same value in every thread of the block.
template <class Combine>
__device__ float block_reduce(float value, float neutral, Combine combine) {
  __shared__ float partial[kThreads / kSmallestWave];
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    value = combine(value, __shfl_xor(value, offset));
  __syncthreads();  // `partial` may still be read from the call before
  if (threadIdx.x % warpSize == 0) partial[threadIdx.x / warpSize] = value;
  __syncthreads();
  value = neutral;
  for (unsigned wave = 0; wave < kThreads / warpSize; ++wave) value = combine(value, partial[wave]);
  return value;
}

__global__ void softmax(const float* in, float* out, int columns) {
  const float* row = in + blockIdx.x * static_cast<std::size_t>(columns);
  float* result = out + blockIdx.x * static_cast<std::size_t>(columns);
  float largest = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += kThreads) largest = fmaxf(largest, row[i]);
  largest = block_reduce(largest, -INFINITY, [](float a, float b) { return fmaxf(a, b); });
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += kThreads) {
    result[i] = expf(row[i] - largest);
    sum += result[i];
  }
  sum = block_reduce(sum, 0, [](float a, float b) { return a + b; });
  for (int i = threadIdx.x; i < columns; i += kThreads) result[i] /= sum;
}

int main() {
  constexpr int kRows = 64, kColumns = 500;
  Numbers numbers(2);
  std::vector<float> in = numbers.units(std::size_t{kRows} * kColumns);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] *= i % 7 == 0 ? 80.0F : 10.0F;

  const DeviceArray<float> device_in(in), device_out(in.size());
  softmax<<<kRows, kThreads>>>(device_in.get(), device_out.get(), kColumns);
  finish_launch();

  const std::vector<float> out = device_out.download();
  Verdict verdict;
  for (int row = 0; row < kRows; ++row) {
    const float* x = in.data() + std::size_t{kColumns} * row;
    const float* y = out.data() + std::size_t{kColumns} * row;
    double largest = -INFINITY, sum = 0, total = 0;
    for (int i = 0; i < kColumns; ++i) largest = std::fmax(largest, x[i]);
    for (int i = 0; i < kColumns; ++i) sum += std::exp(x[i] - largest);
    for (int i = 0; i < kColumns; ++i) {
      verdict.expect_near("softmax", i, y[i], std::exp(x[i] - largest) / sum, 1e-6);
      total += y[i];
    }
    verdict.expect(std::fabs(total - 1) < 1e-5, "row %d adds up to %.9g", row, total);
  }
  return verdict.print("softmax of 64 rows");
}
