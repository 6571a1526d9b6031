#include <hip/hip_runtime.h>
#include "target.h"

#if defined(__HIP_DEVICE_COMPILE__) && (__HIP_DEVICE_COMPILE__ * 700) >= 800
#define HAS_ASYNC_COPY 1
#endif
#define FIRST (HAS_ASYNC_COPY + 1)

__global__ void copy(float* to, const float* from) {
#ifdef HAS_ASYNC_COPY  // reports: HP218
  *to = *from;
#endif
}

__global__ void load(float* to, const float* from) {
#if HAS_TENSOR_CORES  // reports: HP218
  *to = *from;
#endif
}

__global__ void wide(float* to, const float* from) {
#ifdef HAS_WIDE_LOADS
  *to = *from;
#endif
}

__global__ void faster(float* to, const float* from) {
  *to = *from;
#ifdef HAS_ASYNC_COPY
  *to += 1;
#endif
}
