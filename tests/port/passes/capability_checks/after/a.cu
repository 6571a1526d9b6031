#include <hip/hip_runtime.h>
bool is_new(int device) {
  hipDeviceProp_t properties;
  hipGetDeviceProperties(&properties, device);  // reports: HP204
  return properties.major >= 8;  // reports: HP104
}
