// SPDX-License-Identifier: MIT
// out = x · scale, of 8-bit floats x; one scale, or one for each row.

template <class T, int V, int THREADS, int ITEMS, int FORMAT>
__device__ inline void dequantize_as(T* out, long long out_stride, const unsigned char* x,
                                     long long x_stride, const float* scales, long long scale_step,
                                     long long rows, long long columns) {
  each_vector<One<V>, V, THREADS, ITEMS>(
      rows, columns,
      [&](long long row, long long column, One<V>& values) {
        load_fp8<FORMAT>(values.a, x + row * x_stride + column);
      },
      [&](long long row, long long column, One<V>& values) {
        const float scale = scales[row * scale_step];
        for (int v = 0; v < V; ++v) values.a[v] *= scale;
        store(out + row * out_stride + column, values.a);
      });
}

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void dequantize_fp8(T* out, long long out_stride, const unsigned char* x,
                                      long long x_stride, const float* scales, long long scale_step,
                                      long long rows, long long columns, int format) {
  switch (format) {
    case kE4M3:
      return dequantize_as<T, V, THREADS, ITEMS, kE4M3>(out, out_stride, x, x_stride, scales, scale_step, rows,
                                                    columns);
    case kE5M2:
      return dequantize_as<T, V, THREADS, ITEMS, kE5M2>(out, out_stride, x, x_stride, scales, scale_step, rows,
                                                    columns);
    case kE4M3Fnuz:
      return dequantize_as<T, V, THREADS, ITEMS, kE4M3Fnuz>(out, out_stride, x, x_stride, scales, scale_step, rows,
                                                    columns);
    default:
      return dequantize_as<T, V, THREADS, ITEMS, kE5M2Fnuz>(out, out_stride, x, x_stride, scales, scale_step, rows,
                                                    columns);
  }
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                               \
  extern "C" __global__ void __launch_bounds__(THREADS)                                \
      symbol(T* out, long long out_stride, const unsigned char* x, long long x_stride, \
             const float* scales, long long scale_step, long long rows, long long      \
             columns, int format) {                                                    \
    dequantize_fp8<T, V, THREADS, ITEMS>(out, out_stride, x, x_stride, scales,         \
        scale_step, rows, columns, format);                                            \
  }
