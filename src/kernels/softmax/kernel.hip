// SPDX-License-Identifier: MIT
// out = exp(scale · x - m) / Σ exp(scale · x - m), m = max(scale · x), row by row.

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void softmax(T* out, long long out_stride, const T* x, long long x_stride,
                               int columns, float scale) {
  __shared__ Parts<THREADS> parts[2];
  const T* const x_row = x + blockIdx.x * x_stride;
  T* const out_row = out + blockIdx.x * out_stride;
  using Kept = Row<T, V, THREADS, ITEMS>;
  Kept row(x_row, columns);
  float most = -infinity();
  row.first([&](int column, float(&values)[V]) {
    load(values, x_row, column, columns);
    for (int v = 0; v < V; ++v)
      if (column + v < columns) most = fmaxf(most, values[v] * scale);
  });
  most = block_reduce<Max, THREADS>(most, parts[0]);
  float sum = 0;
  row.again([&](int column, float(&values)[V]) {
    for (int v = 0; v < V; ++v) {
      values[v] = exponential<T>(values[v] * scale - most);
      if (column + v < columns) sum += values[v];
    }
  });
  sum = 1.0f / block_reduce<Sum, THREADS>(sum, parts[1]);
  row.again([&](int column, const float(&values)[V]) {
    float results[V];
    for (int v = 0; v < V; ++v)
      results[v] = (Kept::kKeeps ? values[v] : exponential<T>(values[v] * scale - most)) * sum;
    store(out_row, column, columns, results);
  });
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                                       \
  extern "C" __global__ void __launch_bounds__(THREADS)                                        \
      symbol(T* out, long long out_stride, const T* x, long long x_stride, long long,          \
             int columns, float scale) {                                                       \
    softmax<T, V, THREADS, ITEMS>(out, out_stride, x, x_stride, columns, scale);               \
  }
