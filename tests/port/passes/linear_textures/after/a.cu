#include "hip_compat.h"
__device__ hip_compat::linear_texture<float> table;

__global__ void look_up(float* out) { out[threadIdx.x] = tex1Dfetch(table, threadIdx.x); }
