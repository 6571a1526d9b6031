#include <cublasXt.h>  // reports: HP209
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <nvToolsExt.h>  // reports: HP204

void release(void* memory) { cudaFree(memory); }
