#pragma once
#include <hip/hip_runtime.h>

__device__ int f();
