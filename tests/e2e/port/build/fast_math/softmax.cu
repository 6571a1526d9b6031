// SPDX-License-Identifier: MIT
// A masked softmax: -INFINITY is what excludes an element. The host looks at the result with
// isfinite().
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>

constexpr int kRows = 4, kColumns = 64;

__global__ void softmax(float* values, const int* lengths) {
  float* row = values + blockIdx.x * kColumns;
  const int length = lengths[blockIdx.x];
  float largest = -INFINITY;
  for (int i = 0; i < kColumns; ++i) {
    if (i >= length) row[i] = -INFINITY;
    largest = fmaxf(largest, row[i]);
  }
  float sum = 0.0f;
  for (int i = 0; i < kColumns; ++i) {
    row[i] = isinf(row[i]) ? 0.0f : expf(row[i] - largest);
    sum += row[i];
  }
  // A row without an element is not a number, and the host counts it.
  for (int i = 0; i < kColumns; ++i) row[i] = length == 0 ? NAN : row[i] / sum;
}

int main() {
  float values[kRows * kColumns];
  for (int i = 0; i < kRows * kColumns; ++i) values[i] = float(i % 7);
  const int lengths[kRows] = {1, 0, 13, kColumns};
  float* device_values;
  int* device_lengths;
  cudaMalloc(&device_values, sizeof values);
  cudaMalloc(&device_lengths, sizeof lengths);
  cudaMemcpy(device_values, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemcpy(device_lengths, lengths, sizeof lengths, cudaMemcpyHostToDevice);
  softmax<<<kRows, 1>>>(device_values, device_lengths);
  cudaMemcpy(values, device_values, sizeof values, cudaMemcpyDeviceToHost);
  int invalid = 0;
  bool is_right = true;
  for (int row = 0; row < kRows; ++row) {
    double sum = 0;
    for (int i = 0; i < kColumns; ++i) {
      const float value = values[row * kColumns + i];
      if (!std::isfinite(value))
        ++invalid;
      else
        sum += value;
    }
    if (lengths[row] != 0) is_right = is_right && std::fabs(sum - 1) < 1e-5;
    printf("row %d: %.5f\n", row, sum);
  }
  printf("%d invalid\n", invalid);
  puts(is_right && invalid == kColumns ? "PASS" : "FAIL");
  return 0;
}
