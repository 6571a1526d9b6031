// SPDX-License-Identifier: MIT
#include "verify/numeric/tolerance.h"

#include <cmath>
#include <cstring>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "paths.h"
#include "verify/numeric/compare.h"
#include "verify/numeric/fill.h"

namespace hipwright::verify {

namespace {

using ::testing::HasSubstr;

TEST(Tolerance, EveryTypeAndOperationHasARowAndAReason) {
  EXPECT_EQ(tolerance_table().size(), 15U * 6U);
  for (const ToleranceRow& row : tolerance_table()) {
    EXPECT_GT(row.tolerance.why.size(), 20U);
    EXPECT_TRUE(row.tolerance.why.ends_with('.'));
  }
}

TEST(Tolerance, NothingIsLooserThanTheSpecificationsBf16) {
  for (const ToleranceRow& row : tolerance_table())
    for (const std::size_t terms : {1U, 100U, 1U << 30}) {
      const Tolerance tolerance = default_tolerance(row.type, row.operation, terms);
      EXPECT_LE(tolerance.relative, 5e-2);
      EXPECT_LE(tolerance.scaled, 5e-2);
    }
  EXPECT_DOUBLE_EQ(default_tolerance(DataType::kBF16, Operation::kAtomicSum, 10000).relative, 5e-2);
  EXPECT_LT(default_tolerance(DataType::kBF16, Operation::kElementwise).relative, 1e-2);
}

TEST(Tolerance, GrowsWithTheTermsAndWithTheTypesCoarseness) {
  const auto relative = [](DataType type, std::size_t terms) {
    return default_tolerance(type, Operation::kReduction, terms).relative;
  };
  EXPECT_LT(relative(DataType::kF32, 10), relative(DataType::kF32, 1000));
  EXPECT_LT(relative(DataType::kF64, 1000), relative(DataType::kF32, 1000));
  EXPECT_LT(relative(DataType::kF32, 1000), relative(DataType::kF16, 1000));
  EXPECT_LT(relative(DataType::kF16, 1000), relative(DataType::kBF16, 1000));
}

// Errors of sums add up as the root of their number: one term has none, five have twice that of
// two.
TEST(Tolerance, GrowsWithTheRootOfTheAdditions) {
  const auto relative = [](std::size_t terms) {
    return default_tolerance(DataType::kF32, Operation::kReduction, terms).relative;
  };
  EXPECT_DOUBLE_EQ(relative(0), relative(1));
  EXPECT_NEAR((relative(5) - relative(1)) / (relative(2) - relative(1)), 2, 1e-9);
}

TEST(Tolerance, CopiesAndIntegersMustBeEqual) {
  for (const ToleranceRow& row : tolerance_table()) {
    if (row.operation != Operation::kCopy && is_float(row.type)) continue;
    EXPECT_EQ(row.tolerance.relative + row.tolerance.absolute + row.tolerance.scaled, 0);
    EXPECT_FALSE(row.tolerance.ulps);
  }
}

TEST(Tolerance, PytorchsIsPytorchs) {
  const auto is = [](DataType type, double relative, double absolute) {
    const Tolerance tolerance = pytorch_tolerance(type);
    return tolerance.relative == relative && tolerance.absolute == absolute &&
           !tolerance.equal_nan && !tolerance.ulps;
  };
  EXPECT_TRUE(is(DataType::kF16, 1e-3, 1e-5));
  EXPECT_TRUE(is(DataType::kBF16, 1.6e-2, 1e-5));
  EXPECT_TRUE(is(DataType::kF32, 1.3e-6, 1e-5));
  EXPECT_TRUE(is(DataType::kF64, 1e-7, 1e-7));
  EXPECT_TRUE(is(DataType::kF8E4M3, 0, 0));
  EXPECT_TRUE(is(DataType::kI64, 0, 0));
}

float sum_in_waves(const Values& values, std::size_t begin, std::size_t end, std::size_t wave) {
  std::vector<float> lanes(wave);
  for (std::size_t i = begin; i < end; ++i)
    lanes[(i - begin) % wave] += static_cast<float>(values.at(i));
  for (std::size_t half = wave / 2; half > 0; half /= 2)
    for (std::size_t lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
  return lanes[0];
}

// Waves of 32 and 64 lanes, and one lane alone, add up the same numbers: all agree. One term less
// does not.
TEST(Tolerance, OrdersOfASumAgreeAndMissingTermsDoNot) {
  constexpr std::size_t kSums = 64, kTerms = 4096;
  for (const char* fill : {"uniform(-1, 1)", "uniform(0, 1)", "normal(0, 1)"}) {
    const Values values = filled(DataType::kF32, {kSums * kTerms}, *parse_distribution(fill), 1);
    Values wave32 = zeros(DataType::kF32, {kSums}), wave64 = wave32, serial = wave32, less = wave32;
    for (std::size_t i = 0; i < kSums; ++i) {
      const std::size_t begin = i * kTerms, end = begin + kTerms;
      store(wave32, i, sum_in_waves(values, begin, end, 32));
      store(wave64, i, sum_in_waves(values, begin, end, 64));
      store(serial, i, sum_in_waves(values, begin, end, 1));
      store(less, i, sum_in_waves(values, begin, end - 32, 32));
    }
    const Tolerance tolerance = default_tolerance(DataType::kF32, Operation::kReduction, kTerms);
    EXPECT_TRUE(compare(wave32, wave64, tolerance).passes)
        << compare(wave32, wave64, tolerance).text();
    EXPECT_TRUE(compare(serial, wave64, tolerance).passes)
        << compare(serial, wave64, tolerance).text();
    EXPECT_GT(compare(wave32, less, tolerance).wrong, kSums * 9 / 10);
  }
}

// Fused or not, an expression that cancels agrees by default.
TEST(Tolerance, FusedMultiplicationsAgree) {
  const Values x = filled(DataType::kF32, {100000}, {}, 1),
               y = filled(DataType::kF32, {100000}, {}, 2);
  Values fused = x, apart = x;
  for (std::size_t i = 0; i < x.count(); ++i) {
    const auto a = static_cast<float>(x.at(i)), b = static_cast<float>(y.at(i));
    const volatile float product = a * 2.5F;
    store(fused, i, std::fma(a, 2.5F, b));
    store(apart, i, product + b);
  }
  ASSERT_GT(compare(fused, apart, {}).wrong, 1000U);
  EXPECT_TRUE(
      compare(fused, apart, default_tolerance(DataType::kF32, Operation::kElementwise)).passes);
}

TEST(Tolerance, OperationsHaveNames) {
  for (const ToleranceRow& row : tolerance_table())
    EXPECT_EQ(*parse_operation(to_string(row.operation)), row.operation);
  EXPECT_THAT(parse_operation("gemm").error().message(), HasSubstr("matrix_product"));
}

TEST(Tolerance, ThePageIsUpToDate) {
  const auto page = read_file(tests_folder() / "../docs/tolerances.md");
  ASSERT_TRUE(page);
  EXPECT_EQ(*page, tolerance_page())
      << "run hipwright verify tolerances --write-docs docs/tolerances.md";
}

TEST(Tolerance, IsShownInShort) {
  EXPECT_EQ(to_string(Tolerance{}), "equal");
  EXPECT_EQ(to_string(Tolerance{.relative = 1e-6, .absolute = 1e-5, .ulps = 4}),
            "relative 1e-06, absolute 1e-05, 4 ulps");
}

}  // namespace

}  // namespace hipwright::verify
