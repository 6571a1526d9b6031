#include <cuda_runtime.h>
#include "lanes.h"

__device__ unsigned lane() {
  unsigned id;
  asm("mov.u32 %0, %%laneid;" : "=r"(id));  // reports: HP306
  return id % WARP_SIZE;
}
