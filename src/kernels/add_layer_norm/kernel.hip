// SPDX-License-Identifier: MIT
// sum = x + residual, rounded to the type; out = the layer norm of sum.

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void add_layer_norm(T* out, long long out_stride, T* sum, long long sum_stride,
                                      const T* x, long long x_stride, const T* residual,
                                      long long residual_stride, const T* weight, const T* bias,
                                      int columns, float epsilon) {
  __shared__ Parts<THREADS> parts[2];
  const T* const x_row = x + blockIdx.x * x_stride;
  const T* const residual_row = residual + blockIdx.x * residual_stride;
  T* const sum_row = sum + blockIdx.x * sum_stride;
  T* const out_row = out + blockIdx.x * out_stride;
  Row<T, V, THREADS, ITEMS> row(sum_row, columns);
  float total = 0;
  row.first([&](int column, float(&values)[V]) {
    load_sum(values, x_row, residual_row, column, columns);
    for (int v = 0; v < V; ++v) total += values[v];
    store(sum_row, column, columns, values);
  });
  finish_layer_norm<T, V, THREADS>(row, total, parts, out_row, weight, bias, columns, epsilon);
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                                        \
  extern "C" __global__ void __launch_bounds__(THREADS)                                         \
      symbol(T* out, long long out_stride, T* sum, long long sum_stride, const T* x,            \
             long long x_stride, const T* residual, long long residual_stride, const T* weight, \
             const T* bias, long long, int columns, float epsilon) {                            \
    add_layer_norm<T, V, THREADS, ITEMS>(out, out_stride, sum, sum_stride, x, x_stride,         \
                                         residual, residual_stride, weight, bias, columns,      \
                                         epsilon);                                              \
  }
