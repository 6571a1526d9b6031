// Without the runtime.
#include <stdio.h>
__global__ void k() {}
