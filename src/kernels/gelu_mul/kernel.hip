// SPDX-License-Identifier: MIT
// out = gelu(gate) · up: with the error function, or its approximation by tanh.

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void gelu_mul(T* out, long long out_stride, const T* gate, long long gate_stride,
                            const T* up, long long up_stride, long long rows, long long columns, int by_tanh) {
  each_vector<Two<V>, V, THREADS, ITEMS>(
      rows, columns,
      [&](long long row, long long column, Two<V>& values) {
        load(values.a, gate + row * gate_stride + column);
        load(values.b, up + row * up_stride + column);
      },
      [&](long long row, long long column, Two<V>& values) {
        if (by_tanh)
          for (int v = 0; v < V; ++v) values.b[v] *= gelu_tanh<T>(values.a[v]);
        else
          for (int v = 0; v < V; ++v) values.b[v] *= gelu_erf<T>(values.a[v]);
        store(out + row * out_stride + column, values.b);
      });
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                                 \
  extern "C" __global__ void __launch_bounds__(THREADS)                                  \
      symbol(T* out, long long out_stride, const T* gate, long long gate_stride, const   \
             T* up, long long up_stride, long long rows, long long columns, int by_tanh) \
             {                                                                           \
    gelu_mul<T, V, THREADS, ITEMS>(out, out_stride, gate, gate_stride, up, up_stride,    \
        rows, columns, by_tanh);                                                         \
  }
