// SPDX-License-Identifier: MIT
// out = xᵀ. A thread turns a square of V × V elements in its registers; eight of them read or write
// 128 neighbouring bytes.

template <class T, int V>
__device__ inline void transpose(T* out, long long out_stride, const T* x, long long x_stride,
                                 long long rows, long long columns) {
  constexpr int kSide = 8 * V;  // of 64 threads' squares
  const int square = threadIdx.x % 64;
  const long long across = (columns + kSide - 1) / kSide;
  const long long tile = static_cast<long long>(blockIdx.x) * (blockDim.x / 64) + threadIdx.x / 64;
  const long long row = tile / across * kSide + square / 8 * V;
  const long long column = tile % across * kSide + square % 8 * V;
  if (row >= rows || column >= columns) return;
  Vector<T, V> held[V];
#pragma unroll
  for (int i = 0; i < V; ++i)
    held[i] = vector_at<T, V>(x + (row + i < rows ? row + i : row) * x_stride + column);
#pragma unroll
  for (int j = 0; j < V; ++j) {
    Vector<T, V> turned;
#pragma unroll
    for (int i = 0; i < V; ++i) turned.elements[i] = held[i].elements[j];
    *reinterpret_cast<decltype(turned.word)*>(out + (column + j) * out_stride + row) = turned.word;
  }
}

#define HIPWRIGHT_TRANSPOSE(symbol, T, V)                                                        \
  extern "C" __global__ void __launch_bounds__(256)                                              \
      symbol(T* out, long long out_stride, const T* x, long long x_stride, long long rows,       \
             long long columns) {                                                                \
    transpose<T, V>(out, out_stride, x, x_stride, rows, columns);                                \
  }
