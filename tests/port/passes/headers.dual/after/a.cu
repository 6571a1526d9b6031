#include <vector>
#include "kernels.h"
#if defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)
#include "hip_names.h"
#include <hipblas/hipblas.h>
#else
#include <cuda_runtime_api.h>
#include <cublas_v2.h>
#endif

void f(cublasHandle_t* handle) { cublasCreate(handle); }
