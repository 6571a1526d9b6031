// SPDX-License-Identifier: MIT
// The calls of the kernel library as a program makes them.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hipwright/kernels.h"
#include "hipwright/memory.h"
#include "hipwright/utilities.h"

namespace hipwright::kernels {

namespace {

using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;

class KernelsCall : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    try {
      device = Device::open(GetParam());
    } catch (const ROCmNotAvailableError&) {
      GTEST_SKIP() << "not run: no device " << GetParam();
    }
    memory = std::make_unique<AMDMemoryManager>(device, AMDConfig{});
    utilities = std::make_unique<HIPUtilities>(device, AMDConfig{}, memory.get());
    kernels = std::make_unique<Kernels>(device);
  }

  float* put(const std::vector<float>& values) {
    buffers.push_back(memory->allocate(values.size() * sizeof(float)));
    utilities->copy_to_device(buffers.back().data(), values.data(), values.size() * sizeof(float));
    return buffers.back().as<float>();
  }
  std::vector<float> get(const float* from, std::size_t count) {
    std::vector<float> values(count);
    utilities->copy_to_host(values.data(), from, count * sizeof(float));
    utilities->synchronize();
    return values;
  }

  Device device;
  std::unique_ptr<AMDMemoryManager> memory;
  std::unique_ptr<HIPUtilities> utilities;
  std::unique_ptr<Kernels> kernels;
  std::vector<DeviceBuffer> buffers;
};

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const AMDDeviceError& error) {
    return error.what();
  }
  return "no error";
}

TEST_P(KernelsCall, RmsNormIsItsFormula) {
  float* const x = put({3, 4, 0, 0, 1, 1, 1, 1});
  float* const weight = put({1, 2, 3, 4});
  float* const out = put(std::vector<float>(8));
  rms_norm(*kernels, {out, 2, 4}, {x, 2, 4}, {weight, 4}, 0.75f);
  // The mean squares are 6.25 and 1, to which 0.75 is added.
  const float a = std::sqrt(7.0f), b = std::sqrt(1.75f);
  EXPECT_THAT(get(out, 8),
              Pointwise(FloatNear(1e-6f), {3 / a, 8 / a, 0.0f, 0.0f, 1 / b, 2 / b, 3 / b, 4 / b}));
}

TEST_P(KernelsCall, AddRmsNormKeepsTheSum) {
  float* const x = put({1, 2, 3, 4});
  float* const residual = put({2, 2, -3, -4});
  float* const weight = put({1, 1, 1, 1});
  float* const out = put(std::vector<float>(4));
  add_rms_norm(*kernels, {out, 4}, {residual, 4}, {x, 4}, {residual, 4}, {weight, 4}, 0);
  EXPECT_THAT(get(residual, 4), testing::ElementsAre(3, 4, 0, 0));
  EXPECT_THAT(get(out, 4), Pointwise(FloatNear(1e-6f), {1.2f, 1.6f, 0.0f, 0.0f}));
}

TEST_P(KernelsCall, SiluMulTakesTheHalvesOfAPackedMatrix) {
  float* const packed = put({0, 1, 10, 20, -1, 100, 30, 40});
  float* const out = put(std::vector<float>(4));
  silu_mul(*kernels, {out, 2, 2}, {packed, 2, 2, 4}, {packed + 2, 2, 2, 4});
  EXPECT_THAT(get(out, 4), Pointwise(FloatNear(1e-4f), {0.0f, 20 / (1 + std::exp(-1.0f)),
                                                        -30 / (1 + std::exp(1.0f)), 4000.0f}));
}

TEST_P(KernelsCall, NothingIsDoneForNoRows) {
  float* const out = put({7});
  rms_norm(*kernels, {out, 0, 4}, {static_cast<const float*>(nullptr), 0, 4}, {out, 4}, 0);
  silu_mul(*kernels, {out, 4, 0}, {out, 4, 0}, {out, 4, 0});
  EXPECT_THAT(get(out, 1), testing::ElementsAre(7));
}

TEST_P(KernelsCall, CallsCanBeCapturedAndReplayed) {
  float* const x = put({3, 4});
  float* const weight = put({1, 1});
  float* const out = put({0, 0});
  const Stream stream = utilities->create_stream("kernels");
  const Graph graph = utilities->capture_graph("norm", [&](const Stream& on) {
    rms_norm(*kernels, {out, 2}, {x, 2}, {weight, 2}, 0, on);
  });
  EXPECT_THAT(get(out, 2), testing::ElementsAre(0, 0));
  const std::vector<float> other = {0, 2};
  utilities->copy_to_device(x, other.data(), 8);
  utilities->synchronize();
  graph.replay(stream);
  stream.synchronize();
  EXPECT_THAT(get(out, 2), Pointwise(FloatNear(1e-6f), {0.0f, std::sqrt(2.0f)}));
}

TEST_P(KernelsCall, OperandsThatDoNotFitAreNamed) {
  float* const data = put(std::vector<float>(64));
  auto* const halves = reinterpret_cast<F16*>(data);
  const auto norm = [&](const Matrix& out, const ConstMatrix& x, const ConstMatrix& weight) {
    return message_of([&] { rms_norm(*kernels, out, x, weight, 0); });
  };
  EXPECT_THAT(norm({data, 2, 4}, {data, 2, 5}, {data, 4}), HasSubstr("x has the shape 2x5"));
  EXPECT_THAT(norm({data, 2, 4}, {data, 2, 4}, {data, 3}), HasSubstr("weight has the shape 1x3"));
  EXPECT_THAT(norm({data, 2, 4}, {halves, 2, 4}, {data, 4}), HasSubstr("x has the type F16"));
  EXPECT_THAT(norm({data, 2, 4}, {data, 2, 4, 3}, {data, 4}), HasSubstr("x has a stride of 3"));
  EXPECT_THAT(norm({data, 1, 4}, {static_cast<const float*>(nullptr), 1, 4}, {data, 4}),
              HasSubstr("x is a null pointer"));
  EXPECT_THAT(norm({DataType::kI32, data, 1, 4, 4}, {data, 1, 4}, {data, 4}),
              HasSubstr("out has the type I32"));
}

INSTANTIATE_TEST_SUITE_P(Devices, KernelsCall, testing::Values("cpu", "soft:gfx942", "cuda", "hip"),
                         [](const auto& selector) {
                           std::string name = selector.param;
                           std::ranges::replace(name, ':', '_');
                           return name;
                         });

TEST(KernelsConfigTest, DoublePrecisionIsForTheCpu) {
  EXPECT_THAT(message_of([] { Kernels(Device::open("soft:gfx942"), {.double_precision = true}); }),
              HasSubstr("double_precision"));
}

}  // namespace

}  // namespace hipwright::kernels
