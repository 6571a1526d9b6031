// SPDX-License-Identifier: MIT
// out = x / scale in 8-bit floats; one scale, or one for each row.

template <class T, int V, int THREADS, int ITEMS, int FORMAT>
__device__ inline void quantize_as(unsigned char* out, long long out_stride, const T* x,
                                   long long x_stride, const float* scales, long long scale_step,
                                   long long rows, long long columns) {
  const float inverse = quick_divide(1.0f, scale_of_block(scales, scale_step, rows));
  each_vector<One<V>, V, THREADS, ITEMS>(
      rows, columns,
      [&](long long row, long long column, One<V>& values) {
        load(values.a, x + row * x_stride + column);
      },
      [&](long long row, long long column, One<V>& values) {
        for (int v = 0; v < V; ++v) values.a[v] *= inverse;
        store_fp8<FORMAT>(out + row * out_stride + column, values.a);
      });
}

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void quantize_fp8(unsigned char* out, long long out_stride, const T* x,
                                    long long x_stride, const float* scales, long long scale_step,
                                    long long rows, long long columns, int format) {
  switch (format) {
    case kE4M3:
      return quantize_as<T, V, THREADS, ITEMS, kE4M3>(out, out_stride, x, x_stride, scales, scale_step, rows,
                                                  columns);
    case kE5M2:
      return quantize_as<T, V, THREADS, ITEMS, kE5M2>(out, out_stride, x, x_stride, scales, scale_step, rows,
                                                  columns);
    case kE4M3Fnuz:
      return quantize_as<T, V, THREADS, ITEMS, kE4M3Fnuz>(out, out_stride, x, x_stride, scales, scale_step, rows,
                                                  columns);
    default:
      return quantize_as<T, V, THREADS, ITEMS, kE5M2Fnuz>(out, out_stride, x, x_stride, scales, scale_step, rows,
                                                  columns);
  }
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                                 \
  extern "C" __global__ void __launch_bounds__(THREADS)                                  \
      symbol(unsigned char* out, long long out_stride, const T* x, long long x_stride,   \
             const float* scales, long long scale_step, long long rows, long long        \
             columns, int format) {                                                      \
    quantize_fp8<T, V, THREADS, ITEMS>(out, out_stride, x, x_stride, scales, scale_step, \
        rows, columns, format);                                                          \
  }
