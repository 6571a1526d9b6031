#include <cuda_runtime.h>

__constant__ float table[4];
__global__ void small() {}
template <int A, int B>
__global__ void large() {}

void f(float* from) {
  cudaMemcpyToSymbol(table, from, sizeof(table));
  cudaFuncSetAttribute(small, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);  // reports: HP204
  // A comma that a macro would take for one between its arguments.
  cudaFuncSetAttribute(large<1, 2>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);  // reports: HP204
}
