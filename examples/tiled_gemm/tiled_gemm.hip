// SPDX-License-Identifier: MIT
// C = A·B in single precision with tiles in shared memory; each thread makes four elements. The
// edges do not divide by the tile.
#include "../common/check.h"

constexpr int kTile = 32;  // of C and of K
constexpr int kRows = 8;   // threads in y; each makes kTile / kRows elements

__global__ void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[kTile][kTile + 1];  // one more column: no bank conflicts
  __shared__ float b_tile[kTile][kTile + 1];
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int first_row = blockIdx.y * kTile;
  float sum[kTile / kRows] = {};

  for (int start = 0; start < k; start += kTile) {
    for (int y = threadIdx.y; y < kTile; y += kRows) {
      const int row = first_row + y, inner = start + threadIdx.x;
      a_tile[y][threadIdx.x] = row < m && inner < k ? a[row * k + inner] : 0;
      b_tile[y][threadIdx.x] = start + y < k && column < n ? b[(start + y) * n + column] : 0;
    }
    __syncthreads();
    for (int inner = 0; inner < kTile; ++inner)
      for (int part = 0; part < kTile / kRows; ++part)
        sum[part] =
            fmaf(a_tile[threadIdx.y + part * kRows][inner], b_tile[inner][threadIdx.x], sum[part]);
    __syncthreads();
  }
  for (int part = 0; part < kTile / kRows; ++part) {
    const int row = first_row + threadIdx.y + part * kRows;
    if (row < m && column < n) c[row * n + column] = sum[part];
  }
}

int main() {
  constexpr int m = 150, n = 130, k = 100;
  Numbers numbers(4);
  const std::vector<float> a = numbers.units(m * k), b = numbers.units(k * n);
  const DeviceArray<float> device_a(a), device_b(b), device_c(m * n);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile), block(kTile, kRows);
  gemm<<<grid, block>>>(device_a.get(), device_b.get(), device_c.get(), m, n, k);
  finish_launch();

  const std::vector<float> c = device_c.download();
  Verdict verdict;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      // The kernel's order of additions: the result is the same to the last bit.
      float sum = 0;
      for (int x = 0; x < k; ++x) sum = std::fma(a[i * k + x], b[x * n + j], sum);
      verdict.expect(c[i * n + j] == sum, "C[%d][%d] is %.9g, expected %.9g", i, j,
                     static_cast<double>(c[i * n + j]), static_cast<double>(sum));
    }
  return verdict.print("150x130x100 matrix product");
}
