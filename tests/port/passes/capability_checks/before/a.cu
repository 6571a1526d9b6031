bool is_new(int device) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, device);  // reports: HP204
  return properties.major >= 8;  // reports: HP104
}
