// The form of an #include stays; a removed one leaves its line.
#include "hip/hip_runtime.h"


#include <hiprand/hiprand_kernel.h>
void f(float** p) { hipMalloc(p, 4); }
