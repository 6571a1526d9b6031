#include <ours/hip_pool.h>

void* take(unsigned bytes) { return our_hip_alloc(bytes); }
