// SPDX-License-Identifier: MIT
// Layer normalisation, one wave per row: mean and variance are joined lane by lane (Welford), so
// that rows far from zero lose no precision.
#include "../common/check.h"

constexpr int kThreads = 256;

struct Moments {
  float count, mean, m2;
};

__device__ Moments join(Moments a, Moments b) {
  const float count = a.count + b.count;
  if (count == 0) return a;
  const float delta = b.mean - a.mean;
  const float mean = a.mean + delta * (b.count / count);
  return {count, mean, a.m2 + b.m2 + delta * delta * (a.count * b.count / count)};
}

__global__ void layernorm(const float* in, const float* gain, const float* bias, float* out,
                          int rows, int columns, float epsilon) {
  const int row = (blockIdx.x * kThreads + threadIdx.x) / warpSize;
  if (row >= rows) return;  // whole waves leave together
  const int lane = threadIdx.x % warpSize;
  const float* x = in + static_cast<std::size_t>(row) * columns;

  Moments own{0, 0, 0};
  for (int i = lane; i < columns; i += warpSize) {
    own.count += 1;
    const float delta = x[i] - own.mean;
    own.mean += delta / own.count;
    own.m2 += delta * (x[i] - own.mean);
  }
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    own = join(own, {__shfl_xor(own.count, offset), __shfl_xor(own.mean, offset),
                     __shfl_xor(own.m2, offset)});

  const float scale = 1.0F / sqrtf(own.m2 / own.count + epsilon);
  float* y = out + static_cast<std::size_t>(row) * columns;
  for (int i = lane; i < columns; i += warpSize)
    y[i] = (x[i] - own.mean) * scale * gain[i] + bias[i];
}

int main() {
  constexpr int kRows = 100, kColumns = 384;
  constexpr float kEpsilon = 1e-5F;
  Numbers numbers(3);
  std::vector<float> in = numbers.units(std::size_t{kRows} * kColumns);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] += static_cast<float>(i / kColumns);
  const std::vector<float> gain = numbers.units(kColumns), bias = numbers.units(kColumns);

  const DeviceArray<float> x(in), g(gain), b(bias), y(in.size());
  int wave = 0;
  HIP_CHECK(hipDeviceGetAttribute(&wave, hipDeviceAttributeWarpSize, 0));
  const int rows_per_block = kThreads / wave;
  layernorm<<<(kRows + rows_per_block - 1) / rows_per_block, kThreads>>>(
      x.get(), g.get(), b.get(), y.get(), kRows, kColumns, kEpsilon);
  finish_launch();

  const std::vector<float> out = y.download();
  Verdict verdict;
  for (int row = 0; row < kRows; ++row) {
    const float* v = in.data() + std::size_t{kColumns} * row;
    double mean = 0, variance = 0;
    for (int i = 0; i < kColumns; ++i) mean += v[i];
    mean /= kColumns;
    for (int i = 0; i < kColumns; ++i) variance += (v[i] - mean) * (v[i] - mean);
    const double scale = 1 / std::sqrt(variance / kColumns + static_cast<double>(kEpsilon));
    for (int i = 0; i < kColumns; ++i) {
      const double want = (v[i] - mean) * scale * gain[i] + bias[i];
      verdict.expect_near("layernorm", std::size_t{kColumns} * row + i,
                          out[std::size_t{kColumns} * row + i], want, 1e-4);
    }
  }
  return verdict.print("layer normalisation of 100 rows");
}
