#include <hip/hip_runtime.h>  // reports: HP204

struct Buffer {
  hipDeviceptr_t base, other;
  hipDeviceptr_t start;
  size_t size;
};
struct Range {
  float* start;
};

void clear(Buffer a, Buffer* list, int i, Range range) {
  hipMemsetD8(static_cast<char*>(a.base) + 4, 0, a.size);
  list[i].base = static_cast<char*>(list[i].base) + 16;
  hipMemsetD8(static_cast<char*>(list->base) - 1, 0, 8);
  float* from = range.start + 1;  // reports: HP219
  hipFree(a.base);
}
