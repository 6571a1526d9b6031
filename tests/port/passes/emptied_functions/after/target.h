#ifndef TARGET_H
#define TARGET_H
#define HAS_TENSOR_CORES ((__HIP_DEVICE_COMPILE__ * 700) >= 800)
#if (__HIP_DEVICE_COMPILE__ * 700) >= 600
#define HAS_WIDE_LOADS
#endif
#endif
