#include <hip/hip_runtime.h>
bool is_new(int device) {
  int major = 0, minor = 0;
  hipDeviceGetAttribute(&major, hipDeviceAttributeComputeCapabilityMajor, device);  // reports: HP104
  hipDeviceGetAttribute(&minor, hipDeviceAttributeComputeCapabilityMinor, device);
  std::printf("minor version %d\n", minor);
  return major >= 8;
}

int number(int device) {
  hipDeviceProp_t properties;
  hipGetDeviceProperties(&properties, device);  // reports: HP204
  const int major = properties.major;  // reports: HP104
  std::printf("%s: %d.%d\n", properties.name, properties.major, properties.minor);
  switch (major) {
    case 8: return 1;
    default: return 0;
  }
}

int whole(int device) {
  hipDeviceProp_t properties;
  hipGetDeviceProperties(&properties, device);  // reports: HP204
  return properties.major;  // reports: HP104
}

void of_driver(hipDevice_t device) {
  int major, minor;
  hipDeviceComputeCapability(&major, &minor, device);  // reports: HP104
  if (major * 10 + minor < 75) throw std::runtime_error("too old");
}
