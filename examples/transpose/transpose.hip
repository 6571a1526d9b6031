// SPDX-License-Identifier: MIT
// Transposes a matrix through shared memory, so that reads and writes are both along rows.
#include "../common/check.h"

constexpr int kTile = 32, kRows = 8;

template <class T>
__global__ void transpose(const T* in, T* out, int rows, int columns) {
  __shared__ T tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    const int row = blockIdx.y * kTile + y;
    if (x < columns && row < rows) tile[y][threadIdx.x] = in[row * columns + x];
  }
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  for (int y = threadIdx.y; y < kTile; y += kRows) {
    const int row = blockIdx.x * kTile + y;
    if (x < rows && row < columns) out[row * rows + x] = tile[threadIdx.x][y];
  }
}

template <class T>
void run(int rows, int columns, Verdict& verdict) {
  std::vector<T> in(static_cast<std::size_t>(rows) * columns);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i * 2654435761U);
  const DeviceArray<T> device_in(in), device_out(in.size());
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile), block(kTile, kRows);
  transpose<<<grid, block>>>(device_in.get(), device_out.get(), rows, columns);
  finish_launch();
  const std::vector<T> out = device_out.download();
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      verdict.expect(out[static_cast<std::size_t>(j) * rows + i] ==
                         in[static_cast<std::size_t>(i) * columns + j],
                     "element (%d, %d) of %zu bytes went elsewhere", i, j, sizeof(T));
}

int main() {
  Verdict verdict;
  run<unsigned char>(64, 96, verdict);
  run<unsigned short>(70, 33, verdict);
  run<float>(200, 150, verdict);
  run<double>(100, 120, verdict);
  return verdict.print("transposes of four element sizes");
}
