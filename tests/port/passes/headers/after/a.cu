#include <cublasXt.h>  // reports: HP209
#include <hip/hip_runtime.h>
#include <roctracer/roctx.h>  // reports: HP204

void release(void* memory) { hipFree(memory); }
