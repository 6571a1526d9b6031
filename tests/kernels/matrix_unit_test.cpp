// SPDX-License-Identifier: MIT
// What the compiler makes of the kernels that multiply matrices: the target's matrix instructions,
// and no spills.
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/process.h"
#include "kernels/bundle.h"
#include "toolchain/code_object/resources.h"
#include "verify/numeric/values.h"

namespace hipwright::kernels {

namespace {

struct Expected {
  const char* target;
  DataType type;
  const char* instruction;  // nullptr: the target has none for the type
};

class MatrixUnit : public testing::TestWithParam<Expected> {
 protected:
  static void check(const char* op);
};

TEST_P(MatrixUnit, ComputesProductsWithoutSpills) {
  check("gemm");
}

TEST_P(MatrixUnit, ComputesAttentionWithoutSpills) {
  check("attention");
}

void MatrixUnit::check(const char* op) {
  const auto target = arch::parse_target(GetParam().target);
  ASSERT_TRUE(target);
  const auto code =
      compile_op(*find_op(op), std::string(verify::short_name(GetParam().type)), *target);
  ASSERT_TRUE(code) << code.error().message();
  const auto object = toolchain::CodeObject::parse(toolchain::Bytes(std::string(*code)), op);
  ASSERT_TRUE(object);
  for (const auto& kernel : toolchain::kernel_resources(*object)) {
    EXPECT_EQ(kernel.vgpr_spills + kernel.sgpr_spills, 0) << kernel.name;
    EXPECT_EQ(kernel.scratch_bytes, 0) << kernel.name;
  }

  const auto scratch = TemporaryDirectory::create();
  ASSERT_TRUE(scratch);
  const auto file = scratch->path() / "kernels.co";
  ASSERT_TRUE(write_file_atomic(file, *code));
  const auto text = run({.argv = {"llvm-objdump-22", "-d", file.string()}});
  if (!text) GTEST_SKIP() << "not run: no llvm-objdump-22";
  ASSERT_TRUE(text->ok()) << text->err;
  if (GetParam().instruction != nullptr)
    EXPECT_THAT(text->out, testing::HasSubstr(GetParam().instruction));
  else
    EXPECT_THAT(text->out, testing::AllOf(testing::Not(testing::HasSubstr("v_mfma")),
                                          testing::Not(testing::HasSubstr("v_wmma"))));
}

INSTANTIATE_TEST_SUITE_P(
    Targets, MatrixUnit,
    testing::Values(Expected{"gfx942", DataType::kBF16, "v_mfma_f32_32x32x8_bf16"},
                    Expected{"gfx90a", DataType::kF32, "v_mfma_f32_32x32x2f32"},
                    Expected{"gfx950", DataType::kF16, "v_mfma_f32_32x32x16_f16"},
                    Expected{"gfx1100", DataType::kBF16, "v_wmma_f32_16x16x16_bf16"},
                    Expected{"gfx1201", DataType::kF16, "v_wmma_f32_16x16x16_f16"},
                    Expected{"gfx1151", DataType::kF16, "v_wmma_f32_16x16x16_f16"},
                    Expected{"gfx1030", DataType::kF32, nullptr}),
    [](const auto& expected) {
      return std::string(expected.param.target) + "_" +
             std::string(verify::short_name(expected.param.type));
    });

}  // namespace

}  // namespace hipwright::kernels
