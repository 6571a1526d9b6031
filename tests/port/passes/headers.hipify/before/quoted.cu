// The form of an #include stays; a removed one leaves its line.
#include "cuda_runtime.h"
#include <cuda.h>
#include "device_launch_parameters.h"
#include <curand_kernel.h>
void f(float** p) { cudaMalloc(p, 4); }
