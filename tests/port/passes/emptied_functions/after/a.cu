#include <hip/hip_runtime.h>
__global__ void copy(float* to, const float* from) {
#if (__HIP_DEVICE_COMPILE__ * 700) >= 800  // reports: HP218
  *to = *from;
#endif
}

__global__ void early(float* to, const float* from) {
#if !defined(__HIP_DEVICE_COMPILE__) || (__HIP_DEVICE_COMPILE__ * 700) < 900  // reports: HP218
  return;
#endif
  *to = *from;
}

__global__ void hopper(float* to, const float* from) {
#if defined(__HIP_DEVICE_COMPILE__) && (__HIP_DEVICE_COMPILE__ * 700) >= 900  // reports: HP218
  *to = *from;
#else
  assert(false);
#endif
}

__global__ void volta(float* to, const float* from) {
#if (__HIP_DEVICE_COMPILE__ * 700) >= 700
  *to = *from;
#endif
}

__global__ void faster(float* to, const float* from) {
  *to = *from;
#if (__HIP_DEVICE_COMPILE__ * 700) >= 800
  *to += 1;
#endif
}

__host__ __device__ float both(float x) {
#ifdef __HIP_DEVICE_COMPILE__
  return x;
#else
  return -x;
#endif
}

__global__ void indices_only(float* to, const float* from, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float part[32];
  if (i >= count) return;
  part[threadIdx.x] = 0;
#if (__HIP_DEVICE_COMPILE__ * 700) >= 800  // reports: HP218
  to[i] = from[i];
#endif
}

__device__ void fill(float* to);
__global__ void called(float* to) {
  fill(to);
#if (__HIP_DEVICE_COMPILE__ * 700) >= 800
  to[0] += 1;
#endif
}

__global__ void by_reference(float* to) {
  float& first = to[0];
  first = 1;
#if (__HIP_DEVICE_COMPILE__ * 700) >= 800
  first += 1;
#endif
}
