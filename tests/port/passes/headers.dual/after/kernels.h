#pragma once
#if defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)
#include "hip_names.h"
#else
#include <cuda_runtime.h>
#endif

void run(cudaStream_t stream);
