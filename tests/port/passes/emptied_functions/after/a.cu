#include <hip/hip_runtime.h>
__global__ void copy(float* to, const float* from) {
#if (__HIP_DEVICE_COMPILE__ * 700) >= 800  // reports: HP204 HP218
  *to = *from;
#endif
}

__global__ void early(float* to, const float* from) {
#if !defined(__HIP_DEVICE_COMPILE__) || (__HIP_DEVICE_COMPILE__ * 700) < 900  // reports: HP204 HP204 HP218
  return;
#endif
  *to = *from;
}

__global__ void hopper(float* to, const float* from) {
#if defined(__HIP_DEVICE_COMPILE__) && (__HIP_DEVICE_COMPILE__ * 700) >= 900  // reports: HP204 HP204 HP218
  *to = *from;
#else
  assert(false);
#endif
}

__global__ void volta(float* to, const float* from) {
#if (__HIP_DEVICE_COMPILE__ * 700) >= 700  // reports: HP204
  *to = *from;
#endif
}

__global__ void faster(float* to, const float* from) {
  *to = *from;
#if (__HIP_DEVICE_COMPILE__ * 700) >= 800  // reports: HP204
  *to += 1;
#endif
}

__host__ __device__ float both(float x) {
#ifdef __HIP_DEVICE_COMPILE__  // reports: HP204
  return x;
#else
  return -x;
#endif
}
