// SPDX-License-Identifier: MIT
// out = (x - mean(x)) / sqrt(variance(x) + epsilon) · weight + bias, row by row.

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void layer_norm(T* out, long long out_stride, const T* x, long long x_stride,
                                  const T* weight, const T* bias, int columns, float epsilon) {
  __shared__ Parts<THREADS> parts[2];
  const Row<T, V, THREADS, ITEMS> row(x + blockIdx.x * x_stride, columns);
  using Weights = SharedRow<T, V, THREADS, ITEMS>;
  const Weights weights(weight, columns), biases(bias, columns);
  float sum = 0;
  row.each([&](int, const Vector<T, V>& vector) {
    for (int v = 0; v < V; ++v) sum += to_float(vector.elements[v]);
  });
  finish_layer_norm<T, V, THREADS>(row, sum, parts, out + blockIdx.x * out_stride, weights, biases,
                                   columns, epsilon);
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                            \
  extern "C" __global__ void __launch_bounds__(THREADS)                             \
      symbol(T* out, long long out_stride, const T* x, long long x_stride, const T* \
             weight, const T* bias, long long, int columns, float epsilon) {        \
    layer_norm<T, V, THREADS, ITEMS>(out, out_stride, x, x_stride, weight, bias,    \
        columns, epsilon);                                                          \
  }
