#pragma once
#include <cuda_runtime.h>
#define checkCudaErrors(call) (call)
