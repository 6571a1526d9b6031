// SPDX-License-Identifier: MIT
// sum = x + residual, rounded to the type; out = sum / sqrt(mean(sum²) + epsilon) · weight.

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void add_rms_norm(T* out, long long out_stride, T* sum, long long sum_stride,
                                    const T* x, long long x_stride, const T* residual,
                                    long long residual_stride, const T* weight, int columns,
                                    float epsilon) {
  __shared__ Parts<THREADS> parts;
  Row<T, V, THREADS, ITEMS> row(x + blockIdx.x * x_stride, columns);
  const Row<T, V, THREADS, ITEMS> other(residual + blockIdx.x * residual_stride, columns);
  const SharedRow<T, V, THREADS, ITEMS> weights(weight, columns);
  float total = 0;
  row.add(other, sum + blockIdx.x * sum_stride, [&](const float(&sums)[V]) {
    for (int v = 0; v < V; ++v) total += sums[v] * sums[v];
  });
  finish_rms_norm<T, V, THREADS>(row, total, parts, out + blockIdx.x * out_stride, weights, columns,
                                 epsilon);
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                                        \
  extern "C" __global__ void __launch_bounds__(THREADS)                                         \
      symbol(T* out, long long out_stride, T* sum, long long sum_stride, const T* x,            \
             long long x_stride, const T* residual, long long residual_stride, const T* weight, \
             long long, int columns, float epsilon) {                                           \
    add_rms_norm<T, V, THREADS, ITEMS>(out, out_stride, sum, sum_stride, x, x_stride, residual, \
                                       residual_stride, weight, columns, epsilon);              \
  }
