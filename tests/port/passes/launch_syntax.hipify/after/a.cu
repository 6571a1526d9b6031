#include <hip/hip_runtime.h>
#include "kernels.cuh"

template <typename T, int N>
__global__ void scale(T* x, T by) { x[threadIdx.x] *= by; }
__global__ void nothing() {}
typedef void (*Kernel)(float*, float);
struct Job { Kernel kernel; };
template <typename A, typename B> int bytes(int n);
#define LAUNCH(k, ...) k<<<1, 64>>>(__VA_ARGS__)  // reports: HP223

void all(float* x, int n, hipStream_t stream, Job job, Kernel* table) {
  hipLaunchKernelGGL(nothing, dim3(1), dim3(1), 0, 0);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(scale<float, 2>), dim3((n + 63) / 64), dim3(64), 0, 0, x, 2.0f);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(scale<decltype(x[0] + 1), (1 > 0)>), dim3(n, 2), dim3(8, 8), 64 * sizeof(float), stream, x, 3.0f);
  if (n) hipLaunchKernelGGL(own::fill, dim3(n), dim3(64), 0, 0, x,
                                 1.0f /* seed */,
                                 n);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(own::fill_any), dim3(n), dim3(64), 0, 0, x);
  hipLaunchKernelGGL(nothing, dim3(n), dim3(64), 0, hipStreamLegacy);
  job.kernel<<<1, 64>>>(x, 1.0f);  // reports: HP223
  table[0]<<<1, 64>>>(x, 1.0f);  // reports: HP223
  (*table)<<<1, 64>>>(x, 1.0f);  // reports: HP223
  nothing<<<1, 1, bytes<int, float>(n)>>>();  // reports: HP223
  nothing<<<1 /* block */, 1>>>();  // reports: HP223
  own::fill<<<1, 64>>>(x,  // reports: HP223
#ifdef ZERO
                       0.0f,
#else
                       1.0f,
#endif
                       n);
  const char* text = "nothing<<<1, 1>>>()";  // nothing<<<1, 1>>>()
  LAUNCH(nothing);
}

template <typename T> void dependent(T* x) {
  hipLaunchKernelGGL(HIP_KERNEL_NAME(scale<T, 1>), dim3(1), dim3(64), 0, 0, x, T(1));
}
