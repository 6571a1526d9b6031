#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void convert(__half* h, __nv_bfloat16* b, const long* counts, size_t n, float f) {
  const int i = threadIdx.x;
  h[i] = static_cast<__half>(b[i]);
  b[i] = static_cast<__nv_bfloat16>(h[i] + h[i + 1]);
  b[i] = (__nv_bfloat16)counts[i];
  __nv_bfloat16 size = n, copy(counts[1]), same = b[2];
  h[i] = half(*b) + __half(f) + static_cast<half>(h[1]);
  b[i] = static_cast<__nv_bfloat16>(__half2float(h[i])) + (__nv_bfloat16)f + size + copy + same;
}

template <class To, typename From>
__device__ void convert(To* to, const From* from, From one, To other, int n) {
  to[0] = static_cast<To>(from[n]) + To(one) + static_cast<To>(other) + (To)n;
}
