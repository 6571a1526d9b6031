// SPDX-License-Identifier: MIT
// out = (x - mean(x)) / sqrt(variance(x) + epsilon) · weight + bias, row by row.

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void layer_norm(T* out, long long out_stride, const T* x, long long x_stride,
                                  const T* weight, const T* bias, int columns, float epsilon) {
  __shared__ Parts<THREADS> parts[2];
  const T* const x_row = x + blockIdx.x * x_stride;
  T* const out_row = out + blockIdx.x * out_stride;
  Row<T, V, THREADS, ITEMS> row(x_row, columns);
  float sum = 0;
  row.first([&](int column, float(&values)[V]) {
    load(values, x_row, column, columns);
    for (int v = 0; v < V; ++v) sum += values[v];
  });
  finish_layer_norm<T, V, THREADS>(row, sum, parts, out_row, weight, bias, columns, epsilon);
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                                        \
  extern "C" __global__ void __launch_bounds__(THREADS)                                         \
      symbol(T* out, long long out_stride, const T* x, long long x_stride, const T* weight,     \
             const T* bias, long long, int columns, float epsilon) {                            \
    layer_norm<T, V, THREADS, ITEMS>(out, out_stride, x, x_stride, weight, bias, columns,       \
                                     epsilon);                                                  \
  }
