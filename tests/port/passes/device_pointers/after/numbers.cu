#include <hip/hip_runtime.h>  // reports: HP204

hipDeviceptr_t aligned(hipDeviceptr_t p, size_t to) { return reinterpret_cast<hipDeviceptr_t>((reinterpret_cast<unsigned long long>(p) + to - 1) & ~(unsigned long long)(to - 1)); }

bool numbers(hipDeviceptr_t p, unsigned long long address, const float* from) {
  hipDeviceptr_t fixed = (hipDeviceptr_t)0x1000, none = 0, given = (hipDeviceptr_t)address;
  size_t bits = reinterpret_cast<unsigned long long>(p), low = static_cast<size_t>(reinterpret_cast<unsigned long long>(p)) + 1;
  fixed = (hipDeviceptr_t)bits;
  none = reinterpret_cast<hipDeviceptr_t>(reinterpret_cast<unsigned long long>(p) & ~255ull);
  given = (hipDeviceptr_t)(address);
  fixed = (char*)address + 4;
  none = (char*)(low) + 4;
  given = (hipDeviceptr_t)(from);
  given = (given | aligned(p, 3)) + 1;  // reports: HP219
  none = static_cast<char*>(aligned(p, 3)) + 8;
  return reinterpret_cast<unsigned long long>(p) > 0 && reinterpret_cast<unsigned long long>(p) != 1 && p != 0 && (reinterpret_cast<unsigned long long>(p) & bits) == 0;
}
