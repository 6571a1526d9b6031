// SPDX-License-Identifier: MIT
// A backend on whatever device there is: compile a kernel, run it, check the result.
#include <cstdio>

#include "kernels.h"

int main() try {
  hipwright::AMDBackend backend;
  const hipwright::DeviceInfo info = backend.get_device_info();
  std::printf("Using device: %s\n", backend.device().id().c_str());
  std::printf("Device info: %s, %s, %.0f MB, %u-lane waves\n", info.name.c_str(),
              info.architecture.c_str(), info.total_memory_mb, info.wave_size);
  if (!backend.is_available())
    std::printf("Running in CPU fallback mode%s%s\n", backend.fallback_reason().empty() ? "" : ": ",
                backend.fallback_reason().c_str());

  constexpr unsigned n = 100'000;
  const auto x = to_device(backend, std::vector<float>(n, 2.0F));
  const auto y = to_device(backend, std::vector<float>(n, 1.0F));
  const hipwright::Kernel saxpy = backend.load_kernel(kKernels, "saxpy");
  backend.launch(saxpy, blocks_for(n), {kThreads}, 3.0F, x, y, n);
  backend.synchronize();

  for (const float value : to_host(backend, y))
    if (value != 7.0F) {
      std::printf("FAIL: %f\n", static_cast<double>(value));
      return 1;
    }
  backend.cleanup();
  std::puts("PASS");
} catch (const hipwright::AMDBackendError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
