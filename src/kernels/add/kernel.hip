// SPDX-License-Identifier: MIT
// out = a + b.

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void add(T* out, long long out_stride, const T* a, long long a_stride,
                           const T* b, long long b_stride, long long columns,
                           unsigned blocks_per_row) {
  each_vector<V, THREADS, ITEMS>(columns, blocks_per_row, [&](long long row, long long column) {
    float left[V], right[V];
    load(left, a + row * a_stride, column, columns);
    load(right, b + row * b_stride, column, columns);
    for (int v = 0; v < V; ++v) left[v] += right[v];
    store(out + row * out_stride, column, columns, left);
  });
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                                       \
  extern "C" __global__ void __launch_bounds__(THREADS)                                        \
      symbol(T* out, long long out_stride, const T* a, long long a_stride, const T* b,         \
             long long b_stride, long long, long long columns, unsigned blocks_per_row) {      \
    add<T, V, THREADS, ITEMS>(out, out_stride, a, a_stride, b, b_stride, columns,              \
                              blocks_per_row);                                                 \
  }
