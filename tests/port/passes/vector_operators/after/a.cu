#include "hip_compat.h"


// Of complex numbers: something else than HIP's.
__device__ double2 own_times(double2 a, double2 b) {
  return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
HIP_COMPAT_OWN_OPERATOR(double2, *, own_times)
