// SPDX-License-Identifier: MIT
// out = gate / (1 + exp(-gate)) · up.

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void silu_mul(T* out, long long out_stride, const T* gate, long long gate_stride,
                            const T* up, long long up_stride, long long rows, long long columns) {
  each_vector<Two<V>, V, THREADS, ITEMS>(
      rows, columns,
      [&](long long row, long long column, Two<V>& values) {
        load(values.a, gate + row * gate_stride + column);
        load(values.b, up + row * up_stride + column);
      },
      [&](long long row, long long column, Two<V>& values) {
        for (int v = 0; v < V; ++v) values.b[v] *= silu<T>(values.a[v]);
        store(out + row * out_stride + column, values.b);
      });
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                               \
  extern "C" __global__ void __launch_bounds__(THREADS)                                \
      symbol(T* out, long long out_stride, const T* gate, long long gate_stride, const \
             T* up, long long up_stride, long long rows, long long columns) {          \
    silu_mul<T, V, THREADS, ITEMS>(out, out_stride, gate, gate_stride, up, up_stride,  \
        rows, columns);                                                                \
  }
