// SPDX-License-Identifier: MIT
// out[row] = the sum, the mean or the largest element of the row.

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void reduce_rows(T* out, long long out_step, const T* x, long long x_stride,
                                   int columns, int reduction) {
  __shared__ Parts<THREADS> parts;
  const Row<T, V, THREADS, ITEMS> row(x + blockIdx.x * x_stride, columns);
  const bool by_size = reduction == 2;
  float value = by_size ? -infinity() : 0.0f;
  row.each([&](int, const Vector<T, V>& vector) {
    float values[V];
    unpack(values, vector);
    for (int v = 0; v < V; ++v) value = by_size ? fmaxf(value, values[v]) : value + values[v];
  });
  value = by_size ? block_reduce<Max, THREADS>(value, parts) : block_reduce<Sum, THREADS>(value, parts);
  if (reduction == 1) value /= static_cast<float>(columns);
  if (threadIdx.x == 0) out[blockIdx.x * out_step] = rounded<T>(value);
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                                   \
  extern "C" __global__ void __launch_bounds__(THREADS)                                    \
      symbol(T* out, long long out_step, const T* x, long long x_stride, long long, int    \
             columns, int reduction) {                                                     \
    reduce_rows<T, V, THREADS, ITEMS>(out, out_step, x, x_stride, columns, reduction);     \
  }
