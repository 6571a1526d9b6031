// SPDX-License-Identifier: MIT
// out = exp(scale · x - m) / Σ exp(scale · x - m), m = max(scale · x), row by row.

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void softmax(T* out, long long out_stride, const T* x, long long x_stride,
                               int columns, float scale) {
  __shared__ Parts<THREADS> parts[2];
  const Row<T, V, THREADS, ITEMS> row(x + blockIdx.x * x_stride, columns);
  float most = -infinity();
  row.each([&](int, const Vector<T, V>& vector) {
    for (int v = 0; v < V; ++v) most = fmaxf(most, to_float(vector.elements[v]) * scale);
  });
  most = block_reduce<Max, THREADS>(most, parts[0]);
  const auto power = [&](const Vector<T, V>& vector, int v) {
    return exponential<T>(to_float(vector.elements[v]) * scale - most);
  };
  float sum = 0;
  row.each([&](int, const Vector<T, V>& vector) {
    for (int v = 0; v < V; ++v) sum += power(vector, v);
  });
  sum = 1.0f / block_reduce<Sum, THREADS>(sum, parts[1]);
  T* const out_row = out + blockIdx.x * out_stride;
  row.each([&](int column, const Vector<T, V>& vector) {
    float results[V];
    for (int v = 0; v < V; ++v) results[v] = power(vector, v) * sum;
    store(out_row + column, results);
  });
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                              \
  extern "C" __global__ void __launch_bounds__(THREADS)                               \
      symbol(T* out, long long out_stride, const T* x, long long x_stride, long long, \
             int columns, float scale) {                                              \
    softmax<T, V, THREADS, ITEMS>(out, out_stride, x, x_stride, columns, scale);      \
  }
