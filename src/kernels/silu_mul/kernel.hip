// SPDX-License-Identifier: MIT
// out = gate / (1 + exp(-gate)) · up.

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void silu_mul(T* out, long long out_stride, const T* gate, long long gate_stride,
                                const T* up, long long up_stride, long long columns,
                                unsigned blocks_per_row) {
  each_vector<V, THREADS, ITEMS>(columns, blocks_per_row, [&](long long row, long long column) {
    float gates[V], ups[V];
    load(gates, gate + row * gate_stride, column, columns);
    load(ups, up + row * up_stride, column, columns);
    for (int v = 0; v < V; ++v) ups[v] *= divide<T>(gates[v], 1.0f + exponential<T>(-gates[v]));
    store(out + row * out_stride, column, columns, ups);
  });
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                                    \
  extern "C" __global__ void __launch_bounds__(THREADS)                                     \
      symbol(T* out, long long out_stride, const T* gate, long long gate_stride,            \
             const T* up, long long up_stride, long long, long long columns,                \
             unsigned blocks_per_row) {                                                     \
    silu_mul<T, V, THREADS, ITEMS>(out, out_stride, gate, gate_stride, up, up_stride,       \
                                   columns, blocks_per_row);                                \
  }
