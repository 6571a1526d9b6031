#include <vector>
#include "kernels.h"
#include <cuda_runtime_api.h>
#include <cublas_v2.h>

void f(cublasHandle_t* handle) { cublasCreate(handle); }
