#include <cuda_runtime.h>
#include <cublas_v2.h>  // reports: HP204
void f(cublasHandle_t h, int n, const float* a, const cuComplex* z, cuComplex* y, float* r, int* i) {
  cublasSscal(h, n, a, r, 1);
  cublasCaxpy(h, n, z, z, 1, y, 1);
  cublasIcamax(h, n, z, 1, i);
  cublasScnrm2_v2(h, n, z, 1, r);
  cublasCreate(&h);
  cudaHostAlloc((void**)&r, 4, cudaHostAllocDefault);
}
