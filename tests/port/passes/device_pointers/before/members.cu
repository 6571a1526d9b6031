#include <cuda.h>  // reports: HP204

struct Buffer {
  CUdeviceptr base, other;
  CUdeviceptr start;
  size_t size;
};
struct Range {
  float* start;
};

void clear(Buffer a, Buffer* list, int i, Range range) {
  cuMemsetD8(a.base + 4, 0, a.size);
  list[i].base += 16;
  cuMemsetD8(list->base - 1, 0, 8);
  float* from = range.start + 1;  // reports: HP219
  cuMemFree(a.base);
}
