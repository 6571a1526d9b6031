// SPDX-License-Identifier: MIT
// Kernels of these examples: one source for AMD and NVIDIA GPUs, and what stands for it on the CPU.
#pragma once

#include <hipwright/backend.h>

#include <vector>

inline constexpr const char* kKernels = R"(
extern "C" __global__ void saxpy(float a, const float* x, float* y, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
)";

inline const hipwright::CpuKernel kCpuSaxpy("saxpy", [](const hipwright::CpuBlock& block, float a,
                                                        const float* x, float* y, unsigned n) {
  block.each_thread([&](hipwright::Dim3 thread) {
    const unsigned i = block.index.x * block.size.x + thread.x;
    if (i < n) y[i] += a * x[i];
  });
});

constexpr unsigned kThreads = 256;
inline hipwright::Dim3 blocks_for(unsigned n) {
  return {(n + kThreads - 1) / kThreads};
}

// A buffer with the values of `from` in it.
inline hipwright::DeviceBuffer to_device(hipwright::Backend& backend,
                                         const std::vector<float>& from,
                                         std::string_view purpose = "other") {
  auto buffer = backend.memory().allocate(from.size() * sizeof(float), {.purpose = purpose});
  backend.utilities().copy_to_device(buffer.data(), from.data(), buffer.size());
  return buffer;
}

inline std::vector<float> to_host(hipwright::Backend& backend,
                                  const hipwright::DeviceBuffer& buffer) {
  std::vector<float> values(buffer.size() / sizeof(float));
  backend.utilities().copy_to_host(values.data(), buffer.data(), buffer.size());
  backend.synchronize();
  return values;
}
