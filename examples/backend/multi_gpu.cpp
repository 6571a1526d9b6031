// SPDX-License-Identifier: MIT
// All devices at once: work side by side, then a sum over all of them.
#include <hipwright/multi_gpu.h>

#include <cstdio>

#include "kernels.h"

int main() try {
  hipwright::AMDBackend backend;
  const std::vector<hipwright::Device> devices = backend.devices();
  std::printf("%zu device(s)\n", devices.size());

  constexpr unsigned n = 1000;
  std::vector<hipwright::AMDMemoryManager> memory;
  std::vector<hipwright::DeviceBuffer> values(devices.size());
  for (const hipwright::Device& device : devices)
    memory.emplace_back(device, hipwright::AMDConfig{});
  hipwright::coordinate(devices, [&](const hipwright::Device& device, std::size_t rank) {
    hipwright::HIPUtilities utils(device, {});
    values[rank] = memory[rank].allocate(n * sizeof(float));
    const std::vector<float> mine(n, static_cast<float>(rank + 1));
    utils.copy_to_device(values[rank].data(), mine.data(), values[rank].size());
    device.synchronize();
  });

  hipwright::Collectives group(devices);
  std::vector<void*> buffers;
  for (const auto& buffer : values) buffers.push_back(buffer.data());
  group.all_reduce(buffers, n, hipwright::DataType::kF32);
  group.synchronize();

  const auto ranks = static_cast<float>(devices.size());
  const float expected = ranks * (ranks + 1) / 2;
  for (std::size_t rank = 0; rank < devices.size(); ++rank) {
    hipwright::HIPUtilities utils(devices[rank], {});
    std::vector<float> sum(n);
    utils.copy_to_host(sum.data(), buffers[rank], values[rank].size());
    devices[rank].synchronize();
    if (sum[n - 1] != expected) return 1;
  }
  std::printf("every device has the sum %.0f, by %s\n", static_cast<double>(expected),
              group.transport().c_str());
  std::puts("PASS");
} catch (const hipwright::AMDBackendError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
