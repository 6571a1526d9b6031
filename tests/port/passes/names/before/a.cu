#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void scale(float* data) {
#if __CUDA_ARCH__ >= 700
  data[threadIdx.x] *= 2;
#endif
}

void run(float* data, cudaStream_t stream, cublasHandle_t blas) {
  scale<<<1, 64, 0, stream>>>(data);
  cudaStreamSynchronize(stream);
  cublasSetWorkspace(blas, data, 64);  // reports: HP203
  cudaGraphConditionalHandle handle;  // reports: HP202
  cudaDoesNotExist(data);  // reports: HP206
#if CUDART_VERSION >= 12000
  cudaFree(data);
#endif
}

// In host code it is as in CUDA.
__global__ void parent() {
  cudaDeviceSynchronize();  // reports: HP204
}
void wait() { cudaDeviceSynchronize(); }
