// SPDX-License-Identifier: MIT
// out = x / scale in 8-bit floats; one scale, or one for each row.

template <class T, int V, int THREADS, int ITEMS, int FORMAT>
__device__ inline void quantize_as(unsigned char* out, long long out_stride, const T* x,
                                   long long x_stride, const float* scales, long long scale_step,
                                   long long columns, unsigned blocks_per_row) {
  each_vector<V, THREADS, ITEMS>(columns, blocks_per_row, [&](long long row, long long column) {
    const float inverse = 1.0f / scales[row * scale_step];
    float values[V];
    load(values, x + row * x_stride, column, columns);
    for (int v = 0; v < V; ++v) values[v] *= inverse;
    store_fp8<FORMAT>(out + row * out_stride, column, columns, values);
  });
}

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void quantize_fp8(unsigned char* out, long long out_stride, const T* x,
                                    long long x_stride, const float* scales, long long scale_step,
                                    long long columns, int format, unsigned blocks_per_row) {
  switch (format) {
    case kE4M3:
      return quantize_as<T, V, THREADS, ITEMS, kE4M3>(out, out_stride, x, x_stride, scales, scale_step, columns, blocks_per_row);
    case kE5M2:
      return quantize_as<T, V, THREADS, ITEMS, kE5M2>(out, out_stride, x, x_stride, scales, scale_step, columns, blocks_per_row);
    case kE4M3Fnuz:
      return quantize_as<T, V, THREADS, ITEMS, kE4M3Fnuz>(out, out_stride, x, x_stride, scales, scale_step, columns, blocks_per_row);
    default:
      return quantize_as<T, V, THREADS, ITEMS, kE5M2Fnuz>(out, out_stride, x, x_stride, scales, scale_step, columns, blocks_per_row);
  }
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                                       \
  extern "C" __global__ void __launch_bounds__(THREADS)                                        \
      symbol(unsigned char* out, long long out_stride, const T* x, long long x_stride,         \
             const float* scales, long long scale_step, long long, long long columns,          \
             int format, unsigned blocks_per_row) {                                            \
    quantize_fp8<T, V, THREADS, ITEMS>(out, out_stride, x, x_stride, scales, scale_step,       \
                                       columns, format, blocks_per_row);                       \
  }
