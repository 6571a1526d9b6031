#include <hip/hip_runtime.h>  // reports: HP204

hipDeviceptr_t base;

void copy(hipDeviceptr_t to, const float* from, size_t n) {
  hipDeviceptr_t next = static_cast<char*>(to) + n, parts[2] = {to, static_cast<char*>(next) - 4}, *list = parts;
  hipMemcpyHtoD(static_cast<char*>(parts[1]) + n, from, n);
  hipMemcpyHtoD(static_cast<char*>(base) + 4 * n, from, n);
  next = static_cast<char*>(next) + n;
  hipMemcpyHtoD(next, from, n);
  hipMemcpyHtoD(list[0], from, n);
}

size_t map(hipDeviceptr_t* at,
           const hipDeviceptr_t* last,
           size_t size, size_t n) {
  hipMemsetD8(static_cast<char*>(*at) + size * n, 0, size);
  hipMemsetD8(static_cast<char*>(at[1]) - size, 0, size);
  for (; at != last; at = at + 1) { *at = static_cast<char*>(*at) + 16; }
  return n * size + 1;
}

bool is_aligned(hipDeviceptr_t from, hipDeviceptr_t to) {
  const size_t size = (static_cast<char*>(to) - static_cast<char*>(from));
  return reinterpret_cast<unsigned long long>(from) % 256 == 0 && (reinterpret_cast<unsigned long long>(to) & 15) == 0 && size > 4 && !from;
}
