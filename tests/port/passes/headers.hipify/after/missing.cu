// Without the runtime.

#include <hip/hip_runtime.h>
#include <stdio.h>
__global__ void k() {}
