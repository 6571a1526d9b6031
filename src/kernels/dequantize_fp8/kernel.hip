// SPDX-License-Identifier: MIT
// out = x · scale, of 8-bit floats x; one scale, or one for each row.

template <class T, int V, int THREADS, int ITEMS, int FORMAT>
__device__ inline void dequantize_as(T* out, long long out_stride, const unsigned char* x,
                                     long long x_stride, const float* scales, long long scale_step,
                                     long long columns, unsigned blocks_per_row) {
  each_vector<V, THREADS, ITEMS>(columns, blocks_per_row, [&](long long row, long long column) {
    const float scale = scales[row * scale_step];
    float values[V];
    load_fp8<FORMAT>(values, x + row * x_stride, column, columns);
    for (int v = 0; v < V; ++v) values[v] *= scale;
    store(out + row * out_stride, column, columns, values);
  });
}

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void dequantize_fp8(T* out, long long out_stride, const unsigned char* x,
                                      long long x_stride, const float* scales, long long scale_step,
                                      long long columns, int format, unsigned blocks_per_row) {
  switch (format) {
    case kE4M3:
      return dequantize_as<T, V, THREADS, ITEMS, kE4M3>(out, out_stride, x, x_stride, scales, scale_step, columns, blocks_per_row);
    case kE5M2:
      return dequantize_as<T, V, THREADS, ITEMS, kE5M2>(out, out_stride, x, x_stride, scales, scale_step, columns, blocks_per_row);
    case kE4M3Fnuz:
      return dequantize_as<T, V, THREADS, ITEMS, kE4M3Fnuz>(out, out_stride, x, x_stride, scales, scale_step, columns, blocks_per_row);
    default:
      return dequantize_as<T, V, THREADS, ITEMS, kE5M2Fnuz>(out, out_stride, x, x_stride, scales, scale_step, columns, blocks_per_row);
  }
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                                       \
  extern "C" __global__ void __launch_bounds__(THREADS)                                        \
      symbol(T* out, long long out_stride, const unsigned char* x, long long x_stride,         \
             const float* scales, long long scale_step, long long, long long columns,          \
             int format, unsigned blocks_per_row) {                                            \
    dequantize_fp8<T, V, THREADS, ITEMS>(out, out_stride, x, x_stride, scales, scale_step,     \
                                         columns, format, blocks_per_row);                     \
  }
