#include "hip_compat.h"
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

__global__ void convert(__half* h, __hip_bfloat16* b, const long* counts, size_t n, float f) {
  const int i = threadIdx.x;
  h[i] = static_cast<__half>(hip_compat::number(b[i]));
  b[i] = static_cast<__hip_bfloat16>(hip_compat::number(h[i] + h[i + 1]));
  b[i] = (__hip_bfloat16)hip_compat::number(counts[i]);
  __hip_bfloat16 size = hip_compat::number(n), copy(hip_compat::number(counts[1])), same = b[2];
  h[i] = half(hip_compat::number(*b)) + __half(f) + static_cast<half>(h[1]);
  b[i] = static_cast<__hip_bfloat16>(__half2float(h[i])) + (__hip_bfloat16)f + size + copy + same;
}

template <class To, typename From>
__device__ void convert(To* to, const From* from, From one, To other, int n) {
  to[0] = static_cast<To>(hip_compat::number(from[n])) + To(hip_compat::number(one)) + static_cast<To>(other) + (To)n;
}
