// SPDX-License-Identifier: MIT
// Sum, minimum and maximum of an array in three styles that ported code uses: lane shuffles within
// a wave (of any size), a tree in shared memory, and one atomic per block.
#include "../common/check.h"

constexpr int kThreads = 256;
constexpr int kSmallestWave = 32;

__device__ int wave_sum(int value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down(value, offset);
  return value;  // in lane 0
}

__global__ void sum_by_shuffles(const int* values, int count, int* total) {
  __shared__ int partial[kThreads / kSmallestWave];
  int sum = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < count; i += gridDim.x * kThreads)
    sum += values[i];
  sum = wave_sum(sum);
  if (threadIdx.x % warpSize == 0) partial[threadIdx.x / warpSize] = sum;
  __syncthreads();
  if (threadIdx.x < warpSize) {
    const int waves = kThreads / warpSize;
    sum = wave_sum(static_cast<int>(threadIdx.x) < waves ? partial[threadIdx.x] : 0);
    if (threadIdx.x == 0) atomicAdd(total, sum);
  }
}

__global__ void extremes_by_tree(const int* values, int count, int* least, int* most) {
  __shared__ int low[kThreads], high[kThreads];
  const unsigned thread = threadIdx.x;
  low[thread] = INT32_MAX;
  high[thread] = INT32_MIN;
  for (int i = blockIdx.x * kThreads + thread; i < count; i += gridDim.x * kThreads) {
    low[thread] = min(low[thread], values[i]);
    high[thread] = max(high[thread], values[i]);
  }
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) {
      low[thread] = min(low[thread], low[thread + half]);
      high[thread] = max(high[thread], high[thread + half]);
    }
  }
  if (thread == 0) {
    atomicMin(least, low[0]);
    atomicMax(most, high[0]);
  }
}

// The same order every run: one block, each thread a stride, then a fixed tree.
__global__ void sum_of_floats(const float* values, int count, float* total) {
  __shared__ float partial[kThreads];
  float sum = 0;
  for (int i = threadIdx.x; i < count; i += kThreads) sum += values[i];
  partial[threadIdx.x] = sum;
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *total = partial[0];
}

int main() {
  constexpr int kCount = 100003;
  Numbers numbers(1);
  std::vector<int> values(kCount);
  for (int& value : values) value = static_cast<int>(numbers.next() % 20001) - 10000;
  const std::vector<float> floats = numbers.units(20000);

  int sum = 0, least = INT32_MAX, most = INT32_MIN;
  for (const int value : values) {
    sum += value;
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  std::vector<float> partial(kThreads, 0.0F);
  for (std::size_t i = 0; i < floats.size(); ++i) partial[i % kThreads] += floats[i];
  for (int half = kThreads / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) partial[i] += partial[i + half];

  const DeviceArray<int> device_values(values);
  const DeviceArray<int> results(std::vector<int>{0, INT32_MAX, INT32_MIN});
  const DeviceArray<float> device_floats(floats), float_sum(1);
  sum_by_shuffles<<<24, kThreads>>>(device_values.get(), kCount, results.get());
  extremes_by_tree<<<24, kThreads>>>(device_values.get(), kCount, results.get() + 1,
                                     results.get() + 2);
  sum_of_floats<<<1, kThreads>>>(device_floats.get(), static_cast<int>(floats.size()),
                                 float_sum.get());
  finish_launch();

  const std::vector<int> got = results.download();
  const float got_float = float_sum.download()[0];
  Verdict verdict;
  verdict.expect(got[0] == sum, "sum is %d, expected %d", got[0], sum);
  verdict.expect(got[1] == least, "minimum is %d, expected %d", got[1], least);
  verdict.expect(got[2] == most, "maximum is %d, expected %d", got[2], most);
  verdict.expect(got_float == partial[0], "float sum is %.9g, expected %.9g",
                 static_cast<double>(got_float), static_cast<double>(partial[0]));
  return verdict.print("sum, minimum and maximum of 100003 numbers");
}
