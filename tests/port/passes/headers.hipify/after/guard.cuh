#ifndef GUARD_CUH
#include <hip/hip_runtime.h>

#define GUARD_CUH
__device__ int g();
#endif
