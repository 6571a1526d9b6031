#include "c.cuh"
#ifdef USE_ROCM
#include <d/c.cuh>
#include "../a.cu"
#endif
