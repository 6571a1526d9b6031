#pragma once
#include <cuda_runtime.h>

void run(cudaStream_t stream);
