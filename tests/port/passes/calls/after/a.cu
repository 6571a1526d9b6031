#include <hip/hip_runtime.h>

__constant__ float table[16];

void fill(const float* half, const float* whole) {
  hipMemcpyToSymbol(HIP_SYMBOL(table), whole, sizeof table);
  hipMemcpyToSymbol(table,  // reports: HP207
#ifdef HALF
                     half, sizeof table / 2
#else
                     whole, sizeof table
#endif
  );
}
