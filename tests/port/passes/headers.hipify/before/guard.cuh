#ifndef GUARD_CUH
#define GUARD_CUH
__device__ int g();
#endif
