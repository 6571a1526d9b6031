#pragma once
#include <hip/hip_runtime.h>

namespace own {
__global__ void fill(float* x, float value, int n);
template <typename T> __global__ void fill_any(T* x);
}
