// SPDX-License-Identifier: MIT
#include "verify/numeric/fill.h"

#include <cmath>
#include <cstring>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.h"

namespace hipwright::verify {

namespace {

using ::testing::HasSubstr;

Values made(const char* text, DataType type, std::int64_t count, std::uint64_t seed = 1) {
  const auto distribution = parse_distribution(text);
  EXPECT_TRUE(distribution) << distribution.error().message();
  return filled(type, {count}, *distribution, seed);
}

// The very bits: what one machine was given, another must be given, too.
TEST(Fill, IsTheSameOnEveryMachine) {
  const Values uniform = made("uniform(-1, 1)", DataType::kF64, 4);
  const Values normal = made("normal(0, 1)", DataType::kF64, 4);
  const auto text = [](const Values& values) {
    std::string out;
    for (std::size_t i = 0; i < values.count(); ++i) {
      char number[40];
      std::snprintf(number, sizeof number, "%a ", values.at(i));
      out += number;
    }
    return out;
  };
  EXPECT_EQ(
      text(uniform),
      "-0x1.d71e8436c1656p-1 0x1.3f6c410ee5084p-2 -0x1.b08a387616b9ep-1 -0x1.7df5bf1b2f0d8p-3 ");
  EXPECT_EQ(
      text(normal),
      "-0x1.11163b286b008p-1 0x1.0c9fa7918c4b7p+0 -0x1.625b3250d0f7fp-1 -0x1.0e77067f894d5p-1 ");
  EXPECT_EQ(hash128(made("normal(3, 2)", DataType::kF32, 100000).bytes).hex(),
            "74cfeab542f865c0b360b31f9a7fd80f");
}

TEST(Fill, AnElementDependsOnItsIndexAndTheSeedAlone) {
  const Values few = made("normal", DataType::kF32, 100),
               many = made("normal", DataType::kF32, 5000);
  EXPECT_EQ(few.bytes, many.bytes.substr(0, few.bytes.size()));
  EXPECT_NE(few.bytes, made("normal", DataType::kF32, 100, 2).bytes);
}

TEST(Fill, UniformIsUniform) {
  const Values values = made("uniform(-2, 6)", DataType::kF32, 100000);
  std::vector<int> counts(8);
  for (std::size_t i = 0; i < values.count(); ++i) {
    ASSERT_GE(values.at(i), -2);
    ASSERT_LE(values.at(i), 6);
    ++counts[std::min<std::size_t>(7, static_cast<std::size_t>(values.at(i) + 2))];
  }
  for (const int count : counts) EXPECT_NEAR(count, 12500, 500);
}

TEST(Fill, NormalHasTheMomentsAndTailsOfANormalDistribution) {
  const Values values = made("normal(3, 2)", DataType::kF64, 200000);
  double sum = 0, squares = 0, fourth = 0;
  int beyond_2 = 0, beyond_3 = 0;
  for (std::size_t i = 0; i < values.count(); ++i) {
    const double z = (values.at(i) - 3) / 2;
    sum += z;
    squares += z * z;
    fourth += z * z * z * z;
    beyond_2 += std::abs(z) > 2;
    beyond_3 += std::abs(z) > 3;
  }
  const auto count = static_cast<double>(values.count());
  EXPECT_NEAR(sum / count, 0, 0.01);
  EXPECT_NEAR(squares / count, 1, 0.02);
  EXPECT_NEAR(fourth / count, 3, 0.1);
  EXPECT_NEAR(beyond_2 / count, 0.0455, 0.003);
  EXPECT_NEAR(beyond_3 / count, 0.0027, 0.0006);
}

TEST(Fill, IntegersReachTheFirstAndLeaveOutTheSecond) {
  const Values values = made("integers(-3, 4)", DataType::kI32, 10000);
  std::set<double> seen;
  for (std::size_t i = 0; i < values.count(); ++i) seen.insert(values.at(i));
  EXPECT_EQ(seen, (std::set<double>{-3, -2, -1, 0, 1, 2, 3}));
}

TEST(Fill, ARangeCountsAndWrapsAround) {
  const Values values = made("arange", DataType::kU8, 300);
  EXPECT_EQ(values.at(255), 255);
  EXPECT_EQ(values.at(256), 0);
  const Values steps = made("arange(5, -2)", DataType::kI16, 5);
  EXPECT_EQ(steps.at(4), -3);
  EXPECT_EQ(made("arange(0.5, 0.25)", DataType::kF32, 3).at(2), 1);
}

TEST(Fill, APermutationHasEveryNumberOnce) {
  for (const std::int64_t count : {1, 2, 3, 64, 1000, 4097}) {
    const Values values = made("permutation", DataType::kI32, count);
    std::set<double> seen;
    for (std::size_t i = 0; i < values.count(); ++i) seen.insert(values.at(i));
    EXPECT_EQ(seen.size(), values.count());
    EXPECT_EQ(*seen.rbegin(), static_cast<double>(count - 1));
  }
  const Values values = made("permutation", DataType::kI32, 1000);
  int fixed = 0;
  for (std::size_t i = 0; i < values.count(); ++i) fixed += values.at(i) == static_cast<double>(i);
  EXPECT_LT(fixed, 10);
}

TEST(Fill, EdgesHaveAllOfThem) {
  for (const DataType type : {DataType::kF64, DataType::kF32, DataType::kF16, DataType::kBF16,
                              DataType::kF8E4M3, DataType::kF8E5M2}) {
    const Values values = made("edges", type, 64);
    int nans = 0, infinities = 0, positive = 0, negative = 0, ordinary = 0;
    for (std::size_t i = 0; i < values.count(); ++i) {
      const double value = values.at(i);
      nans += std::isnan(value);
      infinities += std::isinf(value);
      if (value == 0) ++(std::signbit(value) ? negative : positive);
      ordinary += std::abs(value) > 0.1 && std::abs(value) <= 8;
    }
    EXPECT_GT(nans, 0);
    EXPECT_EQ(infinities > 0, type != DataType::kF8E4M3);
    EXPECT_GT(positive, 0);
    EXPECT_GT(negative, 0);
    EXPECT_GT(ordinary, 16);
  }
  const Values integers = made("edges", DataType::kI16, 64);
  std::set<double> seen;
  for (std::size_t i = 0; i < integers.count(); ++i) seen.insert(integers.at(i));
  EXPECT_TRUE(seen.contains(-32768) && seen.contains(32767) && seen.contains(0));
}

TEST(Fill, WhatIsWrittenIsReadBack) {
  for (const char* text : {"uniform(-1, 1)", "normal(0.5, 3)", "integers(0, 100)", "arange(2, 3)",
                           "constant(-7.25)", "permutation", "edges"})
    EXPECT_EQ(to_string(*parse_distribution(text)), text);
  EXPECT_EQ(to_string(*parse_distribution(" uniform ")), "uniform(-1, 1)");
  EXPECT_EQ(to_string(*parse_distribution("zeros")), "constant(0)");
  EXPECT_EQ(to_string(*parse_distribution("ones")), "constant(1)");
}

TEST(Fill, ADeviationMayBeSmallOrNothing) {
  for (const char* text : {"normal(0, 0.5)", "normal(1, 0)"})
    EXPECT_TRUE(parse_distribution(text)) << text;
}

TEST(Fill, WhatCannotBeMeantIsAnError) {
  for (const char* text : {"", "uniform(", "uniform(1)", "uniform(2, 1)", "uniform(a, b)",
                           "uniform(0, 1", "uniform(0,,1)", "uniform(0, 1,)", "normal(0, -1)",
                           "integers(0, 0)", "integers(0.5, 2)", "integers(0, 1e30)", "constant",
                           "constant(1, 2)", "edges(1)", "zeros(1)", "random", "uniform(0, inf)"}) {
    const auto distribution = parse_distribution(text);
    ASSERT_FALSE(distribution) << text;
    EXPECT_THAT(distribution.error().message(), HasSubstr("uniform(-1, 1)"));
  }
}

}  // namespace

}  // namespace hipwright::verify
