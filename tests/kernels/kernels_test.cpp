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

TEST_P(KernelsCall, GeluMulHasBothForms) {
  float* const gate = put({0, 1, -1, 3});
  float* const up = put({5, 1, 2, 1});
  float* const out = put(std::vector<float>(4));
  gelu_mul(*kernels, {out, 4}, {gate, 4}, {up, 4}, Gelu::kErf);
  EXPECT_THAT(get(out, 4),
              Pointwise(FloatNear(1e-6f), {0.0f, 0.84134475f, -0.31731051f, 2.9959503f}));
  gelu_mul(*kernels, {out, 4}, {gate, 4}, {up, 4}, Gelu::kTanh);
  EXPECT_THAT(get(out, 4),
              Pointwise(FloatNear(1e-6f), {0.0f, 0.84119199f, -0.31761602f, 2.9963627f}));
}

TEST_P(KernelsCall, LayerNormIsItsFormula) {
  float* const x = put({1, 3, 5, 7});
  float* const weight = put({1, 1, 2, 2});
  float* const bias = put({0, 1, 0, 1});
  float* const out = put(std::vector<float>(4));
  layer_norm(*kernels, {out, 4}, {x, 4}, {weight, 4}, {bias, 4}, 4);
  // The mean is 4, the variance 5.
  EXPECT_THAT(get(out, 4), Pointwise(FloatNear(1e-6f), {-1.0f, 1 - 1 / 3.0f, 2 / 3.0f, 3.0f}));
  float* const zero = put(std::vector<float>(4));
  add_layer_norm(*kernels, {out, 4}, {zero, 4}, {x, 4}, {zero, 4}, {weight, 4}, {bias, 4}, 4);
  EXPECT_THAT(get(out, 4), Pointwise(FloatNear(1e-6f), {-1.0f, 1 - 1 / 3.0f, 2 / 3.0f, 3.0f}));
  EXPECT_THAT(get(zero, 4), testing::ElementsAre(1, 3, 5, 7));
}

TEST_P(KernelsCall, SoftmaxIsOfScaledValuesAndDoesNotOverflow) {
  const float ln2 = std::log(2.0f);
  float* const x = put({0, 2 * ln2, 4 * ln2, 1000, 1000, -1000});
  float* const out = put(std::vector<float>(6));
  softmax(*kernels, {out, 2, 3}, {x, 2, 3}, 0.5f);
  EXPECT_THAT(get(out, 6),
              Pointwise(FloatNear(1e-6f), {1 / 7.0f, 2 / 7.0f, 4 / 7.0f, 0.5f, 0.5f, 0.0f}));
  EXPECT_THAT(message_of([&] { softmax(*kernels, {out, 3}, {x, 3}, 0); }), HasSubstr("scale"));
}

TEST_P(KernelsCall, RopeTurnsPairsByTheTokensPosition) {
  // A quarter turn at position 1, none at 0; the last two of a head are not rotated.
  float* const cosines = put({1, 1, 0, 0});
  float* const sines = put({0, 0, 1, 1});
  buffers.push_back(memory->allocate(16));
  const std::vector<std::int64_t> places = {1, 0};
  utilities->copy_to_device(buffers.back().data(), places.data(), 16);
  const auto* const positions = buffers.back().as<std::int64_t>();
  const ConstMatrix tokens(DataType::kI64, positions, 1, 2, 2);
  float* const x = put({1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
  float* const out = put(std::vector<float>(12));
  rope(*kernels, {out, 2, 6}, {x, 2, 6}, tokens, {cosines, 2, 2}, {sines, 2, 2}, 1, Rope::kHalves);
  EXPECT_THAT(get(out, 12), testing::ElementsAre(-3, -4, 1, 2, 5, 6, 1, 2, 3, 4, 5, 6));
  rope(*kernels, {out, 2, 6}, {x, 2, 6}, tokens, {cosines, 2, 2}, {sines, 2, 2}, 1,
       Rope::kInterleaved);
  EXPECT_THAT(get(out, 12), testing::ElementsAre(-2, 1, -4, 3, 5, 6, 1, 2, 3, 4, 5, 6));
  EXPECT_THAT(message_of([&] {
                rope(*kernels, {out, 2, 6}, {x, 2, 6}, tokens, {cosines, 2, 2}, {sines, 2, 2}, 2,
                     Rope::kHalves);
              }),
              HasSubstr("heads"));
}

TEST_P(KernelsCall, QuantizeFp8GivesTheCodesOfEachFormat) {
  float* const x = put({2, -4, 1000000, 0.002f, -0.0f, std::nanf("")});
  float* const two = put({2});
  buffers.push_back(memory->allocate(6));
  auto* const bytes = buffers.back().as<std::uint8_t>();
  const auto codes = [&](Fp8 format) {
    quantize_fp8(*kernels, {storage_of(format), bytes, 1, 6, 6}, {x, 6}, {two, 1}, format);
    std::vector<std::uint8_t> values(6);
    utilities->copy_to_host(values.data(), bytes, 6);
    utilities->synchronize();
    return std::vector<unsigned>(values.begin(), values.end());
  };
  EXPECT_THAT(codes(Fp8::kE4M3), testing::ElementsAre(0x38, 0xc0, 0x7e, 0x01, 0x80, 0x7f));
  EXPECT_THAT(codes(Fp8::kE4M3Fnuz), testing::ElementsAre(0x40, 0xc8, 0x7f, 0x01, 0x00, 0x80));
  const auto wide = codes(Fp8::kE5M2);
  EXPECT_THAT(wide, testing::ElementsAre(0x3c, 0xc0, 0x7b, 0x14, 0x80, testing::Gt(0x7cU)));
  float* const back = put(std::vector<float>(4));
  quantize_fp8(*kernels, {DataType::kF8E4M3, bytes, 1, 4, 4}, {x, 4}, {two, 1}, Fp8::kE4M3);
  dequantize_fp8(*kernels, {back, 4}, {DataType::kF8E4M3, bytes, 1, 4, 4}, {two, 1}, Fp8::kE4M3);
  EXPECT_THAT(get(back, 4), testing::ElementsAre(2, -4, 896, 0x1p-8f));
}

TEST_P(KernelsCall, QuantizeFp8RowsScalesEachRow) {
  float* const x = put({1, -2, 0, 0});
  float* const scales = put({9, 9});
  buffers.push_back(memory->allocate(4));
  const Matrix out(DataType::kF8E4M3, buffers.back().data(), 2, 2, 2);
  quantize_fp8_rows(*kernels, out, {scales, 2, 1}, {x, 2, 2}, Fp8::kE4M3);
  EXPECT_THAT(get(scales, 2), testing::ElementsAre(2 / 448.0f, 1));
  quantize_fp8_rows(*kernels, out, {scales, 2, 1}, {x, 2, 2}, Fp8::kE4M3Fnuz);
  EXPECT_THAT(get(scales, 2), testing::ElementsAre(2 / 224.0f, 1));
}

TEST_P(KernelsCall, GemmTakesOperandsAsTheyAreStored) {
  // a = [1 2; 3 4], b = [5 6; 7 8]
  float* const a = put({1, 2, 3, 4});
  float* const a_turned = put({1, 3, 2, 4});
  float* const b = put({5, 6, 7, 8});
  float* const b_turned = put({5, 7, 6, 8});
  float* const out = put({0, 0, 0, 0});
  const auto product = testing::ElementsAre(19, 22, 43, 50);
  gemm(*kernels, {out, 2, 2}, {a, 2, 2}, {b, 2, 2});
  EXPECT_THAT(get(out, 4), product);
  gemm(*kernels, {out, 2, 2}, {a, 2, 2}, {b_turned, 2, 2}, {.transpose_b = true});
  EXPECT_THAT(get(out, 4), product);
  gemm(*kernels, {out, 2, 2}, {a_turned, 2, 2}, {b, 2, 2}, {.transpose_a = true});
  EXPECT_THAT(get(out, 4), product);
}

TEST_P(KernelsCall, GemmEndsWithBiasActivationAndResidual) {
  float* const a = put({1, 1});
  float* const b = put({1, -2, 3, 4});
  float* const bias = put({1, 1});
  float* const out = put({100, 200});
  gemm(*kernels, {out, 1, 2}, {a, 1, 2}, {b, 2, 2},
       {.transpose_b = true,
        .scale = 2,
        .activation = Activation::kRelu,
        .bias = ConstMatrix(bias, 2),
        .residual = ConstMatrix(out, 1, 2)});
  EXPECT_THAT(get(out, 2), testing::ElementsAre(100, 215));
  // No products: what comes after them.
  gemm(*kernels, {out, 1, 2}, {a, 1, 0}, {b, 0, 2}, {.bias = ConstMatrix(bias, 2)});
  EXPECT_THAT(get(out, 2), testing::ElementsAre(1, 1));
}

TEST_P(KernelsCall, GemmWithAWorkspaceDividesTheDepth) {
  const std::int64_t depth = 8192, elements = gemm_workspace(*kernels, DataType::kF32, 2, 2, depth);
  EXPECT_EQ(elements > 0, !device.is_cpu());
  float* const ones = put(std::vector<float>(2 * depth, 1));
  float* const out = put({0, 0, 0, 0});
  float* const workspace = put(std::vector<float>(std::max<std::int64_t>(elements, 1)));
  gemm(*kernels, {out, 2, 2}, {ones, 2, depth}, {ones, depth, 2},
       {.workspace = Matrix(workspace, std::max<std::int64_t>(elements, 1))});
  EXPECT_THAT(get(out, 4), testing::Each(8192));
}

TEST_P(KernelsCall, GemmNamesWhatDoesNotFit) {
  float* const data = put(std::vector<float>(64));
  const auto message = [&](const Gemm& form) {
    return message_of([&] { gemm(*kernels, {data, 2, 4}, {data, 2, 3}, {data, 3, 4}, form); });
  };
  EXPECT_THAT(message({.transpose_b = true}), HasSubstr("b has the shape 3x4, expected 4x3"));
  EXPECT_THAT(message({.bias = ConstMatrix(data, 3)}), HasSubstr("bias has the shape 1x3"));
  EXPECT_THAT(message({.batch = 2}), HasSubstr("out_step lets products overlap"));
  const ConstMatrix narrow(DataType::kF8E4M3, data, 2, 4, 4);
  EXPECT_THAT(message_of([&] {
                gemm(*kernels, {data, 2, 2}, narrow, {DataType::kF8E4M3, data, 4, 2, 2});
              }),
              HasSubstr("transpose_b"));
}

TEST_P(KernelsCall, AttentionWeighsValuesByScores) {
  // Scores of 0 and ln 3 for both keys.
  const float ln3 = std::log(3.0f);
  float* const q = put({1, 0, 1, 0});
  float* const k = put({0, 5, ln3, -5});
  float* const v = put({4, 8, 8, 0});
  float* const out = put({0, 0, 0, 0});
  attention(*kernels, {out, 2, 2}, {q, 2, 2}, {k, 2, 2}, {v, 2, 2}, {.scale = 1});
  EXPECT_THAT(get(out, 4), Pointwise(FloatNear(1e-5f), {7.0f, 2.0f, 7.0f, 2.0f}));
  attention(*kernels, {out, 2, 2}, {q, 2, 2}, {k, 2, 2}, {v, 2, 2}, {.scale = 1, .causal = true});
  EXPECT_THAT(get(out, 4), Pointwise(FloatNear(1e-5f), {4.0f, 8.0f, 7.0f, 2.0f}));
  attention(*kernels, {out, 2, 2}, {q, 2, 2}, {k, 2, 2}, {v, 2, 2},
            {.scale = 1, .causal = true, .window = 1});
  EXPECT_THAT(get(out, 4), Pointwise(FloatNear(1e-5f), {4.0f, 8.0f, 8.0f, 0.0f}));
  // More queries than keys: the first sees none.
  attention(*kernels, {out, 2, 2}, {q, 2, 2}, {k, 1, 2}, {v, 1, 2}, {.causal = true});
  EXPECT_THAT(get(out, 4), testing::ElementsAre(0, 0, 4, 8));
  EXPECT_THAT(message_of([&] {
                attention(*kernels, {out, 2, 2}, {q, 2, 2}, {k, 2, 2}, {v, 2, 2}, {.heads = 3});
              }),
              HasSubstr("heads do not divide the columns"));
}

TEST_P(KernelsCall, RowsWithASlotBelowZeroAreNotCached) {
  float* const k = put({1, 2, 3, 4});
  float* const v = put({5, 6, 7, 8});
  float* const k_cache = put(std::vector<float>(6, 9));
  float* const v_cache = put(std::vector<float>(6, 9));
  buffers.push_back(memory->allocate(16));
  const std::vector<std::int64_t> slots = {2, -1};
  utilities->copy_to_device(buffers.back().data(), slots.data(), 16);
  cache_write(*kernels, {k_cache, 3, 2}, {v_cache, 3, 2}, {k, 2, 2}, {v, 2, 2},
              {DataType::kI64, buffers.back().data(), 1, 2, 2});
  EXPECT_THAT(get(k_cache, 6), testing::ElementsAre(9, 9, 9, 9, 1, 2));
  EXPECT_THAT(get(v_cache, 6), testing::ElementsAre(9, 9, 9, 9, 5, 6));
}

TEST_P(KernelsCall, ReduceRowsHasItsForms) {
  float* const x = put({1, 5, 3, -2, -4, -3});
  float* const out = put({0, 0});
  const auto reduced = [&](Reduction form) {
    reduce_rows(*kernels, {out, 2, 1}, {x, 2, 3}, form);
    return get(out, 2);
  };
  EXPECT_THAT(reduced(Reduction::kSum), testing::ElementsAre(9, -9));
  EXPECT_THAT(reduced(Reduction::kMean), testing::ElementsAre(3, -3));
  EXPECT_THAT(reduced(Reduction::kMax), testing::ElementsAre(5, -2));
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
