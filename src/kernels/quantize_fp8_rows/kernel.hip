// SPDX-License-Identifier: MIT
// scale = max(|x|) / limit for each row; out = x / scale in 8-bit floats.

template <class T, int V, int THREADS, int ITEMS, int FORMAT>
__device__ inline void quantize_rows_as(unsigned char* out, long long out_stride, float* scales,
                                        long long scale_step, const T* x, long long x_stride,
                                        int columns, float limit) {
  __shared__ Parts<THREADS> parts;
  const Row<T, V, THREADS, ITEMS> row(x + blockIdx.x * x_stride, columns);
  float most = 0;
  row.each([&](int, const Vector<T, V>& vector) {
    for (int v = 0; v < V; ++v) most = fmaxf(most, fabsf(to_float(vector.elements[v])));
  });
  most = block_reduce<Max, THREADS>(most, parts);
  const float scale = most > 0 ? most / limit : 1.0f;
  if (threadIdx.x == 0) scales[blockIdx.x * scale_step] = scale;
  const float inverse = most > 0 ? quick_divide(limit, most) : 1.0f;
  unsigned char* const out_row = out + blockIdx.x * out_stride;
  row.each([&](int column, const Vector<T, V>& vector) {
    float results[V];
    unpack(results, vector);
    for (int v = 0; v < V; ++v) results[v] *= inverse;
    store_fp8<FORMAT>(out_row + column, results);
  });
}

template <class T, int V, int THREADS, int ITEMS>
__device__ inline void quantize_fp8_rows(unsigned char* out, long long out_stride, float* scales,
                                         long long scale_step, const T* x, long long x_stride,
                                         int columns, int format, float limit) {
  switch (format) {
    case kE4M3:
      return quantize_rows_as<T, V, THREADS, ITEMS, kE4M3>(out, out_stride, scales, scale_step, x, x_stride,
                                                       columns, limit);
    case kE5M2:
      return quantize_rows_as<T, V, THREADS, ITEMS, kE5M2>(out, out_stride, scales, scale_step, x, x_stride,
                                                       columns, limit);
    case kE4M3Fnuz:
      return quantize_rows_as<T, V, THREADS, ITEMS, kE4M3Fnuz>(out, out_stride, scales, scale_step, x, x_stride,
                                                       columns, limit);
    default:
      return quantize_rows_as<T, V, THREADS, ITEMS, kE5M2Fnuz>(out, out_stride, scales, scale_step, x, x_stride,
                                                       columns, limit);
  }
}

#define HIPWRIGHT_INSTANCE(symbol, T, V, THREADS, ITEMS)                             \
  extern "C" __global__ void __launch_bounds__(THREADS)                              \
      symbol(unsigned char* out, long long out_stride, float* scales, long long      \
             scale_step, const T* x, long long x_stride, long long, int columns, int \
             format, float limit) {                                                  \
    quantize_fp8_rows<T, V, THREADS, ITEMS>(out, out_stride, scales, scale_step, x,  \
        x_stride, columns, format, limit);                                           \
  }
