#include <cuda.h>  // reports: HP204

CUdeviceptr base;

void copy(CUdeviceptr to, const float* from, size_t n) {
  CUdeviceptr next = to + n, parts[2] = {to, next - 4}, *list = parts;
  cuMemcpyHtoD(parts[1] + n, from, n);
  cuMemcpyHtoD(base + 4 * n, from, n);
  next += n;
  cuMemcpyHtoD(next, from, n);
  cuMemcpyHtoD(list[0], from, n);
}

size_t map(CUdeviceptr* at,
           const CUdeviceptr* last,
           size_t size, size_t n) {
  cuMemsetD8(*at + size * n, 0, size);
  cuMemsetD8(at[1] - size, 0, size);
  for (; at != last; at = at + 1) { *at += 16; }
  return n * size + 1;
}

bool is_aligned(CUdeviceptr from, CUdeviceptr to) {
  const size_t size = to - from;
  return from % 256 == 0 && (to & 15) == 0 && size > 4 && !from;
}
