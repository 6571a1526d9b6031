// SPDX-License-Identifier: MIT
// out = x / sqrt(mean(x²) + epsilon) · weight, row by row.

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void rms_norm(T* out, long long out_stride, const T* x, long long x_stride,
                                const T* weight, int columns, float epsilon) {
  __shared__ Parts<THREADS> parts;
  const Row<T, V, THREADS, ITEMS> row(x + blockIdx.x * x_stride, columns);
  const SharedRow<T, V, THREADS, ITEMS> weights(weight, columns);
  float squares = 0;
  row.each([&](int, const Vector<T, V>& vector) {
    float values[V];
    unpack(values, vector);
    for (int v = 0; v < V; ++v) squares += values[v] * values[v];
  });
  finish_rms_norm<T, V, THREADS>(row, squares, parts, out + blockIdx.x * out_stride, weights,
                                 columns, epsilon);
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                            \
  extern "C" __global__ void __launch_bounds__(THREADS)                             \
      symbol(T* out, long long out_stride, const T* x, long long x_stride, const T* \
             weight, long long, int columns, float epsilon) {                       \
    rms_norm<T, V, THREADS, ITEMS>(out, out_stride, x, x_stride, weight, columns,   \
        epsilon);                                                                   \
  }
