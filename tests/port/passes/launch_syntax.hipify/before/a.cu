#include <cuda_runtime.h>
#include "kernels.cuh"

template <typename T, int N>
__global__ void scale(T* x, T by) { x[threadIdx.x] *= by; }
__global__ void nothing() {}
typedef void (*Kernel)(float*, float);
struct Job { Kernel kernel; };
template <typename A, typename B> int bytes(int n);
#define LAUNCH(k, ...) k<<<1, 64>>>(__VA_ARGS__)  // reports: HP223

void all(float* x, int n, cudaStream_t stream, Job job, Kernel* table) {
  nothing<<<1, 1>>>();
  scale<float, 2><<<(n + 63) / 64, 64>>>(x, 2.0f);
  scale<decltype(x[0] + 1), (1 > 0)><<<dim3(n, 2), dim3(8, 8), 64 * sizeof(float), stream>>>(x, 3.0f);
  if (n) own::fill<<<n, 64, 0>>>(x,
                                 1.0f /* seed */,
                                 n);
  own::fill_any<<< n , 64 >>>( x );
  nothing<<<n, 64, 0, cudaStreamLegacy>>>();
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
  scale<T, 1><<<1, 64>>>(x, T(1));
}
