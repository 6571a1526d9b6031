#include <cuda_runtime.h>

__constant__ float table[16];

void fill(const float* half, const float* whole) {
  cudaMemcpyToSymbol(table, whole, sizeof table);
  cudaMemcpyToSymbol(table,  // reports: HP207
#ifdef HALF
                     half, sizeof table / 2
#else
                     whole, sizeof table
#endif
  );
}
