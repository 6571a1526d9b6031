// SPDX-License-Identifier: MIT
// What goes wrong, and what the program is told: memory, devices, launches, compilers, faults.
#include <cstdio>
#include <functional>

#include "kernels.h"

// Writes where nobody has memory. On a GPU that ends the process's use of the device, so it is
// last; on the CPU it would end the process.
static constexpr const char* kWildWrite = R"(
extern "C" __global__ void wild(int* nowhere) { nowhere[threadIdx.x] = 1; }
)";

template <class Expected>
static bool expect(const char* title, const std::function<void()>& action) {
  try {
    action();
    std::printf("%s: nothing was thrown\n", title);
  } catch (const Expected& error) {
    std::printf("%s:\n  %s\n", title, error.what());
    return true;
  } catch (const hipwright::AMDBackendError& error) {
    std::printf("%s: another exception: %s\n", title, error.what());
  }
  return false;
}

int main() try {
  hipwright::AMDBackend backend;
  bool good = true;

  good &= expect<hipwright::ROCmMemoryError>("too much memory", [&] {
    backend.memory().allocate(std::size_t{1} << 45, {.purpose = "everything"});
  });
  good &= expect<hipwright::AMDDeviceError>("no such device", [&] { backend.set_device(99); });

  const hipwright::Kernel saxpy = backend.load_kernel(kKernels, "saxpy");
  const auto x = to_device(backend, std::vector<float>(100, 1.0F));
  const auto y = to_device(backend, std::vector<float>(100, 1.0F));
  good &= expect<hipwright::AMDDeviceError>("a launch that does not fit", [&] {
    backend.launch(saxpy, {1}, {1 << 20}, 1.0F, x, y, 100U);
  });
  good &= expect<hipwright::AMDDeviceError>("a wrong argument", [&] {
    backend.launch(saxpy, {1}, {128}, 1.0 /* a double */, x, y, 100U);
  });
  if (backend.is_available())
    good &= expect<hipwright::HIPCompilationError>("a kernel that does not compile", [&] {
      backend.load_kernel("__global__ void broken() { this is not C++ }", "broken");
    });

  // After all of that the device works.
  backend.launch(saxpy, {1}, {128}, 2.0F, x, y, 100U);
  good &= to_host(backend, y)[99] == 3.0F;

  if (backend.is_available()) {
    const hipwright::Kernel wild = backend.load_kernel(kWildWrite, "wild");
    good &= expect<hipwright::AMDDeviceError>("a kernel that faults", [&] {
      try {
        backend.launch(wild, {1}, {64}, static_cast<int*>(nullptr));
        backend.synchronize();
      } catch (const hipwright::AMDDeviceError& error) {
        std::printf("the device is %s afterwards\n",
                    error.device_usable() ? "usable" : "not usable");
        throw;
      }
    });
  }
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
} catch (const hipwright::AMDBackendError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
