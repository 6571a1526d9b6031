__global__ void copy(float* to, const float* from) {
#if __CUDA_ARCH__ >= 800  // reports: HP204 HP218
  *to = *from;
#endif
}

__global__ void early(float* to, const float* from) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900  // reports: HP204 HP204 HP218
  return;
#endif
  *to = *from;
}

__global__ void hopper(float* to, const float* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900  // reports: HP204 HP204 HP218
  *to = *from;
#else
  assert(false);
#endif
}

__global__ void volta(float* to, const float* from) {
#if __CUDA_ARCH__ >= 700  // reports: HP204
  *to = *from;
#endif
}

__global__ void faster(float* to, const float* from) {
  *to = *from;
#if __CUDA_ARCH__ >= 800  // reports: HP204
  *to += 1;
#endif
}

__host__ __device__ float both(float x) {
#ifdef __CUDA_ARCH__  // reports: HP204
  return x;
#else
  return -x;
#endif
}
