#include <cuda.h>  // reports: HP204

CUdeviceptr aligned(CUdeviceptr p, size_t to) { return (p + to - 1) & ~(CUdeviceptr)(to - 1); }

bool numbers(CUdeviceptr p, unsigned long long address, const float* from) {
  CUdeviceptr fixed = 0x1000, none = 0, given = address;
  size_t bits = p, low = static_cast<size_t>(p) + 1;
  fixed = bits;
  none = p & ~255ull;
  given = static_cast<CUdeviceptr>(address);
  fixed = (CUdeviceptr)address + 4;
  none = static_cast<CUdeviceptr>(low) + 4;
  given = reinterpret_cast<CUdeviceptr>(from);
  given = (given | aligned(p, 3)) + 1;  // reports: HP219
  none = aligned(p, 3) + 8;
  return p > 0 && p != 1 && p != 0 && (p & bits) == 0;
}
