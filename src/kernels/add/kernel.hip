// SPDX-License-Identifier: MIT
// out = a + b.

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void add(T* out, long long out_stride, const T* a, long long a_stride,
                            const T* b, long long b_stride, long long rows, long long columns) {
  each_vector<Two<V>, V, THREADS, ITEMS>(
      rows, columns,
      [&](long long row, long long column, Two<V>& values) {
        load(values.a, a + row * a_stride + column);
        load(values.b, b + row * b_stride + column);
      },
      [&](long long row, long long column, Two<V>& values) {
        for (int v = 0; v < V; ++v) values.b[v] += values.a[v];
        store(out + row * out_stride + column, values.b);
      });
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                                 \
  extern "C" __global__ void __launch_bounds__(THREADS)                                  \
      symbol(T* out, long long out_stride, const T* a, long long a_stride, const T* b,   \
             long long b_stride, long long rows, long long columns) {                    \
    add<T, V, THREADS, ITEMS>(out, out_stride, a, a_stride, b, b_stride, rows, columns); \
  }
