#include <ATen/cuda/CUDAContext.h>

bool has_async_copies() { return at::cuda::getCurrentDeviceProperties()->major >= 8; }  // reports: HP104

bool is_hopper() {
  auto* properties = at::cuda::getCurrentDeviceProperties();
  return properties->major == 9;  // reports: HP104
}

int processors() { return at::cuda::getCurrentDeviceProperties()->multiProcessorCount; }

bool is_later(const Version& version) { return version.major > 2; }
