#include <hip/hip_runtime.h>
__global__ void fill(int* out) {
  int value = 1;
  out[threadIdx.x] = value;
}

void run(int* out) {
  fill<< <1, 64> >>(out);
}

__device__ unsigned own__lanemask_lt() { return (1u << (threadIdx.x & 31)) - 1; }
namespace mine {
__device__ unsigned __lane_id() { return threadIdx.x & 31; }
}
__global__ void rank(unsigned* out) { out[threadIdx.x] = __popc(own__lanemask_lt()) + mine::__lane_id(); }
