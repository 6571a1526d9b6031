#define HIPBLAS_V2
#include <hipblas/hipblas.h>
#include <hip/hip_runtime.h>

__global__ void scale(float* data) {
#if (__HIP_DEVICE_COMPILE__ * 700) >= 700
  data[threadIdx.x] *= 2;
#endif
}

void run(float* data, hipStream_t stream, hipblasHandle_t blas) {
  scale<<<1, 64, 0, stream>>>(data);
  hipStreamSynchronize(stream);
  hipblasSetWorkspace(blas, data, 64);  // reports: HP203
  cudaGraphConditionalHandle handle;  // reports: HP202
  cudaDoesNotExist(data);  // reports: HP206
#if (__HIP__ * 11080) >= 12000
  hipFree(data);
#endif
}

// In host code it is as in CUDA.
__global__ void parent() {
  hipDeviceSynchronize();  // reports: HP204
}
void wait() { hipDeviceSynchronize(); }
