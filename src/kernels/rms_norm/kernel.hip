// SPDX-License-Identifier: MIT
// out = x / sqrt(mean(x²) + epsilon) · weight, row by row.

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void rms_norm(T* out, long long out_stride, const T* x, long long x_stride,
                                const T* weight, int columns, float epsilon) {
  __shared__ Parts<THREADS> parts;
  const T* const x_row = x + blockIdx.x * x_stride;
  T* const out_row = out + blockIdx.x * out_stride;
  Row<T, V, THREADS, ITEMS> row(x_row, columns);
  float squares = 0;
  row.first([&](int column, float(&values)[V]) {
    load(values, x_row, column, columns);
    for (int v = 0; v < V; ++v) squares += values[v] * values[v];
  });
  finish_rms_norm<T, V, THREADS>(row, squares, parts, out_row, weight, columns, epsilon);
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                                        \
  extern "C" __global__ void __launch_bounds__(THREADS)                                         \
      symbol(T* out, long long out_stride, const T* x, long long x_stride, const T* weight,     \
             long long, int columns, float epsilon) {                                           \
    rms_norm<T, V, THREADS, ITEMS>(out, out_stride, x, x_stride, weight, columns, epsilon);     \
  }
