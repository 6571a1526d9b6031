// SPDX-License-Identifier: MIT
// The HIP device on the software GPU's runtime.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "device/device.h"
#include "hipwright/compiler.h"

namespace hipwright::device {

namespace {

using testing::HasSubstr;

constexpr const char* kSource = R"(
extern "C" __global__ void add(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}
)";

std::string compiled(const std::string& architecture) {
  static ROCmCompiler compiler({.backend = CompilerBackend::kClang});
  return std::string(
      compiler.compile_kernel(kSource, "add", {.architecture = architecture}).code_object());
}

std::shared_ptr<Device> soft(const std::string& target) {
  const auto devices = open_soft({target});
  EXPECT_TRUE(devices) << devices.error().message();
  return devices ? devices->front() : nullptr;
}

template <class T>
Argument arg(const T& value) {
  return {&value, sizeof value};
}

TEST(HipDevice, AddsVectors) {
  const auto device = soft("gfx942");
  ASSERT_TRUE(device);
  const auto module = device->load(compiled("gfx942"));
  ASSERT_TRUE(module) << module.error().message();
  const auto kernel = device->find(*module, "add");
  ASSERT_TRUE(kernel) << kernel.error().message();
  constexpr int n = 1000;
  std::vector<float> a(n), b(n, 2.5F), sum(n);
  std::iota(a.begin(), a.end(), 0.0F);
  float* buffers[3];
  for (auto*& buffer : buffers) buffer = static_cast<float*>(*device->allocate(n * sizeof(float)));
  ASSERT_TRUE(device->copy(buffers[0], a.data(), n * sizeof(float), Direction::kToDevice));
  ASSERT_TRUE(device->copy(buffers[1], b.data(), n * sizeof(float), Direction::kToDevice));
  const Argument arguments[] = {arg(buffers[0]), arg(buffers[1]), arg(buffers[2]), arg(n)};
  const auto launched = device->launch(*kernel, {.grid = {4}, .block = {256}}, arguments);
  ASSERT_TRUE(launched) << launched.error().message();
  ASSERT_TRUE(device->synchronize());
  ASSERT_TRUE(device->copy(sum.data(), buffers[2], n * sizeof(float), Direction::kToHost));
  for (int i = 0; i < n; ++i) EXPECT_EQ(sum[i], static_cast<float>(i) + 2.5F);
  for (auto* buffer : buffers) EXPECT_TRUE(device->free(buffer));
  EXPECT_TRUE(device->unload(*module));
}

TEST(HipDevice, OpenHip) {
  const auto devices = open_hip();
  std::puts(devices ? "devices" : devices.error().message().c_str());
}

}  // namespace

}  // namespace hipwright::device
