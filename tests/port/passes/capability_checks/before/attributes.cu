bool is_new(int device) {
  int major = 0, minor = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);  // reports: HP104
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  std::printf("minor version %d\n", minor);
  return major >= 8;
}

int number(int device) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, device);  // reports: HP204
  const int major = properties.major;  // reports: HP104
  std::printf("%s: %d.%d\n", properties.name, properties.major, properties.minor);
  switch (major) {
    case 8: return 1;
    default: return 0;
  }
}

int whole(int device) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, device);  // reports: HP204
  return properties.major;  // reports: HP104
}

void of_driver(CUdevice device) {
  int major, minor;
  cuDeviceComputeCapability(&major, &minor, device);  // reports: HP104
  if (major * 10 + minor < 75) throw std::runtime_error("too old");
}
