#include <cuda_fp16.h>

__global__ void count(int* n, const __half* x, half limit, float f, const __half* end) {
  __shared__ half best[32];
  const int i = threadIdx.x;
  if (x[i] <= limit && i <= 31) ++n[0];
  n[1] += limit + x[i] * x[0] >= *x ? 1 : 0;
  while (best[i] >= __float2half(0.5f)) best[i] = best[i] - limit;
  if (static_cast<__half>(f) <= limit) return;
  n[2] = __half2float(x[0]) <= f || x + i >= end || x[i] < limit || x[i] == limit;
}

template <class T>
__device__ bool is_less(T a, T b) {
  return a <= b;
}
