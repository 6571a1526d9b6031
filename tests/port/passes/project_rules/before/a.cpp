#include <ours/cuda_pool.h>

void* take(unsigned bytes) { return our_cuda_alloc(bytes); }
