#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800  // reports: HP218
void run(float* to, const float* from) {}
#else
__global__ void copy(float* to, const float* from) { *to = *from; }
void run(float* to, const float* from) { copy<<<1, 1>>>(to, from); }
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 750  // reports: HP218
template <int N>
__global__ void stub(float* to, const float* from) {}
#else
template <int N>
__global__ void stub(float* to, const float* from) { *to = *from; }
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
__global__ void either(float* to, const float* from) { *to = __ldg(from); }
#else
__global__ void either(float* to, const float* from) { *to = *from; }
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
__global__ void volta(float* to, const float* from) { *to = *from; }
#endif
