#if defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)
#include "hip_names.h"
#endif
__device__ void add(unsigned& low, unsigned& high, unsigned x) {
#if defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)
  hip_ptx::add_cc_u32_4cef(low, high, x);
#else
  asm("add.cc.u32 %0, %0, %2;\n\t"
      "addc.u32 %1, %1, 0;"
      : "+r"(low), "+r"(high)
      : "r"(x));
#endif
}

__device__ unsigned lane() {
  unsigned value;
#if defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)
  value = (unsigned int)warp32::lane();
#else
  asm("mov.u32 %0, %%laneid;" : "=r"(value));
#endif
  return value;
}
