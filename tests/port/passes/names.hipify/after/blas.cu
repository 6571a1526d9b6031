#include <hip/hip_runtime.h>
#include <hipblas.h>  // reports: HP204
void f(hipblasHandle_t h, int n, const float* a, const hipComplex* z, hipComplex* y, float* r, int* i) {
  hipblasSscal(h, n, a, r, 1);
  hipblasCaxpy_v2(h, n, z, z, 1, y, 1);
  hipblasIcamax_v2(h, n, z, 1, i);
  hipblasScnrm2_v2(h, n, z, 1, r);
  hipblasCreate(&h);
  hipHostAlloc((void**)&r, 4, hipHostMallocDefault);
}
