#ifndef TARGET_H
#define TARGET_H
#define HAS_TENSOR_CORES (__CUDA_ARCH__ >= 800)
#if __CUDA_ARCH__ >= 600
#define HAS_WIDE_LOADS
#endif
#endif
