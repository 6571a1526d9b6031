#include <hip/hip_runtime.h>
#if defined(__HIP_DEVICE_COMPILE__) && (__HIP_DEVICE_COMPILE__ * 700) < 800  // reports: HP218
void run(float* to, const float* from) {}
#else
__global__ void copy(float* to, const float* from) { *to = *from; }
void run(float* to, const float* from) { copy<<<1, 1>>>(to, from); }
#endif

#if defined(__HIP_DEVICE_COMPILE__) && (__HIP_DEVICE_COMPILE__ * 700) < 750  // reports: HP218
template <int N>
__global__ void stub(float* to, const float* from) {}
#else
template <int N>
__global__ void stub(float* to, const float* from) { *to = *from; }
#endif

#if defined(__HIP_DEVICE_COMPILE__) && (__HIP_DEVICE_COMPILE__ * 700) >= 800
__global__ void either(float* to, const float* from) { *to = __ldg(from); }
#else
__global__ void either(float* to, const float* from) { *to = *from; }
#endif

#if !defined(__HIP_DEVICE_COMPILE__) || (__HIP_DEVICE_COMPILE__ * 700) >= 700
__global__ void volta(float* to, const float* from) { *to = *from; }
#endif
