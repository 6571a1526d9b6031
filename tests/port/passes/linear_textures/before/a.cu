texture<float, 1, cudaReadModeElementType> table;

__global__ void look_up(float* out) { out[threadIdx.x] = tex1Dfetch(table, threadIdx.x); }
