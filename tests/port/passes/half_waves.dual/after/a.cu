#include <stdio.h>
#if defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)
#include "hip_names.h"
#define warpSize warp32::size
#else
#include <cuda_runtime.h>
#endif

#define FULL 0xffffffff

// Masks of 32 bits: the calls stay.
__device__ int sum(int x, unsigned mask) {
  for (int i = 16; i > 0; i /= 2) x += __shfl_xor_sync(FULL, x, i);
  auto same = __match_any_sync(mask, x);
  __syncwarp();
  return __shfl_sync(same, x, __ffs(same) - 1) + __popc(__activemask());
}

// A mask of 64 bits would mean the whole wave to HIP.
__device__ int first(int x, size_t mask) {
#if defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)
  return warp32::shfl_sync(mask, x, 0);
#else
  return __shfl_sync(mask, x, 0);
#endif
}

__device__ int lane() {
  return threadIdx.x % warpSize;
}
