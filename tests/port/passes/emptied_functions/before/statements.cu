#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define HAS_CLUSTERS 1
#else
#define HAS_CLUSTERS 0
#endif
#define NUMBER __CUDA_ARCH__

__global__ void copy(float* to, const float* from) {
  if constexpr (HAS_CLUSTERS) {  // reports: HP218
    *to = *from;
  }
}

__global__ void number(float* to, const float* from) {
  if (NUMBER >= 800) *to = *from;  // reports: HP218
}

__global__ void direct(float* to, const float* from) {
  if (__CUDA_ARCH__ < 800) return;  // reports: HP210 HP218
  *to = *from;
}

__global__ void either(float* to, const float* from) {
  if (NUMBER >= 800) {
    *to = *from;
  } else if (from != nullptr) {
    *to = *from + 0;
  }
}

__global__ void also(float* to, const float* from, bool is_new) {
  if (NUMBER >= 800 || is_new) *to = *from;
}

__global__ void volta(float* to, const float* from) {
  if (NUMBER >= 700) *to = *from;
}
