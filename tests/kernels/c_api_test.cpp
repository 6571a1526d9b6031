// SPDX-License-Identifier: MIT
// The C functions of the kernel library.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hipwright/kernels_c.h"

namespace {

// The CPU's device memory is host memory.
hipwright_matrix row(float* data, std::int64_t columns) {
  return {HIPWRIGHT_ELEMENT_F32, data, 1, columns, columns};
}

TEST(KernelsC, CallsRunAndErrorsAreTold) {
  hipwright_kernels* const kernels = hipwright_kernels_open("cpu", nullptr);
  ASSERT_NE(kernels, nullptr) << hipwright_kernels_error();
  float a[] = {1, 2, 3}, b[] = {4, 5, 6}, out[] = {0, 0, 0};
  ASSERT_EQ(hipwright_add(kernels, row(out, 3), row(a, 3), row(b, 3), nullptr), 0);
  ASSERT_EQ(hipwright_kernels_synchronize(kernels), 0);
  EXPECT_THAT(out, testing::ElementsAre(5, 7, 9));
  EXPECT_EQ(hipwright_add(kernels, row(out, 3), row(a, 2), row(b, 3), nullptr), -1);
  EXPECT_THAT(hipwright_kernels_error(), testing::HasSubstr("a has the shape 1x2"));
  hipwright_kernels_close(kernels);
  EXPECT_EQ(hipwright_kernels_open("soft:none", nullptr), nullptr);
  EXPECT_THAT(hipwright_kernels_error(), testing::HasSubstr("none"));
}

TEST(KernelsC, MatrixProductsTakeAForm) {
  hipwright_kernels* const kernels = hipwright_kernels_open("cpu", nullptr);
  ASSERT_NE(kernels, nullptr) << hipwright_kernels_error();
  float a[] = {1, 2, 3, 4}, b[] = {1, 0, -2, 1}, bias_of[] = {10, -20}, out[] = {0, 0, 0, 0};
  const auto square = [](float* data) {
    return hipwright_matrix{HIPWRIGHT_ELEMENT_F32, data, 2, 2, 2};
  };
  ASSERT_EQ(hipwright_gemm(kernels, square(out), square(a), square(b), nullptr, nullptr), 0);
  ASSERT_EQ(hipwright_kernels_synchronize(kernels), 0);
  EXPECT_THAT(out, testing::ElementsAre(-3, 2, -5, 4));
  const hipwright_matrix bias = row(bias_of, 2);
  hipwright_gemm_form form = {};
  form.transpose_b = 1;
  form.scale = 2;
  form.batch = 1;
  form.activation = HIPWRIGHT_ACTIVATION_RELU;
  form.bias = &bias;
  ASSERT_EQ(hipwright_gemm(kernels, square(out), square(a), square(b), &form, nullptr), 0);
  ASSERT_EQ(hipwright_kernels_synchronize(kernels), 0);
  EXPECT_THAT(out, testing::ElementsAre(12, 0, 16, 0));
  EXPECT_EQ(hipwright_gemm_workspace(kernels, HIPWRIGHT_ELEMENT_F32, 2, 2, 2, 1), 0);
  EXPECT_EQ(hipwright_gemm(kernels, square(out), square(a), row(b, 4), &form, nullptr), -1);
  EXPECT_THAT(hipwright_kernels_error(), testing::HasSubstr("b has the shape 1x4, expected 2x2"));
  hipwright_kernels_close(kernels);
}

}  // namespace
