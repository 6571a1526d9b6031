#include "hip_compat.h"
#include <hip/hip_fp16.h>

__global__ void count(int* n, const __half* x, half limit, float f, const __half* end) {
  __shared__ half best[32];
  const int i = threadIdx.x;
  if (__hle(x[i], limit) && i <= 31) ++n[0];
  n[1] += __hge(limit + x[i] * x[0], *x) ? 1 : 0;
  while (__hge(best[i], __float2half(0.5f))) best[i] = best[i] - limit;
  if (__hle(static_cast<__half>(f), limit)) return;
  n[2] = __half2float(x[0]) <= f || x + i >= end || x[i] < limit || x[i] == limit;
}

template <class T>
__device__ bool is_less(T a, T b) {
  return a <= b;
}

__global__ void pairs(int* n, const __half2* x, __hip_bfloat162 b, __half2 limit) {
  if (hip_compat::hbneu2(x[0], limit)) ++n[0];
  n[1] += __hbeq2(x[1], limit) ? 1 : 0;
  n[2] += __hblt2(b, *(const __hip_bfloat162*)x);
  if (hip_compat::hbneu2(b, __halves2bfloat162(b.x, b.y))) n[3] = 1;
  for (const __half2* p = x; p != x + 4; ++p) n[4] += __hbge2(*p, limit);
}
