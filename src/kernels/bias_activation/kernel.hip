// SPDX-License-Identifier: MIT
// out = activation(x + bias).

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void bias_activation(T* out, long long out_stride, const T* x, long long x_stride,
                                       const T* bias, long long rows, long long columns,
                                       int activation) {
  each_vector<Two<V>, V, THREADS, ITEMS>(
      rows, columns,
      [&](long long row, long long column, Two<V>& values) {
        load(values.a, x + row * x_stride + column);
        load(values.b, bias + column);
      },
      [&](long long row, long long column, Two<V>& values) {
        for (int v = 0; v < V; ++v) values.a[v] += values.b[v];
        activate<T>(values.a, activation);
        store(out + row * out_stride + column, values.a);
      });
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                                \
  extern "C" __global__ void __launch_bounds__(THREADS)                                 \
      symbol(T* out, long long out_stride, const T* x, long long x_stride, const T*     \
             bias, long long rows, long long columns, int activation) {                 \
    bias_activation<T, V, THREADS, ITEMS>(out, out_stride, x, x_stride, bias, rows,     \
        columns, activation);                                                           \
  }
