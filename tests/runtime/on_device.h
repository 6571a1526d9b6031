// SPDX-License-Identifier: MIT
// Tests that hold on every device. Kernels are written twice: as source for GPUs, as C++ for the
// CPU.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hipwright/compiler.h"
#include "hipwright/cpu_kernel.h"
#include "hipwright/memory.h"
#include "hipwright/utilities.h"
#include "runtime/raise.h"
#include "runtime/stream.h"

namespace hipwright {

inline constexpr const char* kDevices[] = {"cpu", "soft:gfx942", "cuda", "hip"};

inline constexpr const char* kKernelSource = R"(
extern "C" __global__ void add_to(int* data, int amount, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] += amount;
}
extern "C" __global__ void times(int* data, int factor, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] *= factor;
}
)";
inline const CpuKernel kAddTo("add_to",
                              [](const CpuBlock& block, int* data, int amount, unsigned count) {
                                block.each_thread([&](Dim3 thread) {
                                  const unsigned i = block.index.x * block.size.x + thread.x;
                                  if (i < count) data[i] += amount;
                                });
                              });
inline const CpuKernel kTimes("times",
                              [](const CpuBlock& block, int* data, int factor, unsigned count) {
                                block.each_thread([&](Dim3 thread) {
                                  const unsigned i = block.index.x * block.size.x + thread.x;
                                  if (i < count) data[i] *= factor;
                                });
                              });

class OnDevice : public testing::TestWithParam<const char*> {
 protected:
  static constexpr unsigned kCount = 500;

  void SetUp() override {
    try {
      device = Device::open(GetParam());
    } catch (const ROCmNotAvailableError& error) {
      const std::string selector = GetParam();
      ASSERT_TRUE(selector == "cuda" || selector == "hip") << error.what();
      GTEST_SKIP() << "not run: no device " << selector;
    }
    memory = std::make_unique<AMDMemoryManager>(device, AMDConfig{});
    utils = std::make_unique<HIPUtilities>(device, config, memory.get());
  }

  Kernel kernel(const std::string& name) {
    std::string code;
    if (!device.is_cpu()) {
      ROCmCompiler compiler({.architecture = device.info().architecture});
      code = compiler.compile_kernel(kKernelSource, name).code_object();
    }
    auto state = std::make_shared<runtime::KernelState>();
    state->driver = device.driver();
    state->module = runtime::value_or_raise(state->driver->load(code));
    state->function = runtime::value_or_raise(state->driver->find(state->module, name));
    state->name = name;
    return Kernel(std::move(state));
  }
  void launch(const Kernel& what, const DeviceBuffer& data, int value, const Stream& on = {}) {
    utils->launch_with(what, {(kCount + 63) / 64}, {64}, 0, on,
                       KernelArguments<DeviceBuffer, int, unsigned>(data, value, kCount));
  }
  DeviceBuffer ints(int value) {
    DeviceBuffer buffer = memory->allocate(kCount * sizeof(int));
    const std::vector<int> values(kCount, value);
    utils->copy_to_device(buffer.data(), values.data(), buffer.size());
    utils->synchronize();
    return buffer;
  }
  std::vector<int> content(const DeviceBuffer& buffer) {
    std::vector<int> values(kCount);
    utils->synchronize();
    utils->copy_to_host(values.data(), buffer.data(), values.size() * sizeof(int));
    utils->synchronize();
    return values;
  }

  AMDConfig config;
  Device device;
  std::unique_ptr<AMDMemoryManager> memory;
  std::unique_ptr<HIPUtilities> utils;
};

inline std::string device_name(const testing::TestParamInfo<const char*>& selector) {
  std::string name = selector.param;
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
}

}  // namespace hipwright
