#include <vector>
#include "kernels.h"
#if defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)
#include "hip_names.h"
#include <hipblas/hipblas.h>  // reports: HP204
#else
#include <cuda_runtime_api.h>
#include <cublas_v2.h>  // reports: HP204
#endif

void f(cublasHandle_t* handle) { cublasCreate(handle); }
