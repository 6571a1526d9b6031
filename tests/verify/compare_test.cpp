// SPDX-License-Identifier: MIT
#include "verify/numeric/compare.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "verify/numeric/fill.h"

namespace hipwright::verify {

namespace {

using ::testing::HasSubstr;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

Values of(DataType type, std::initializer_list<double> list) {
  Values values = zeros(type, {static_cast<std::int64_t>(list.size())});
  std::size_t index = 0;
  for (const double value : list) store(values, index++, value);
  return values;
}

Values floats(std::initializer_list<double> list) {
  return of(DataType::kF32, list);
}

template <class T>
Values integers(DataType type, std::initializer_list<T> list) {
  Values values = zeros(type, {static_cast<std::int64_t>(list.size())});
  std::memcpy(values.bytes.data(), list.begin(), list.size() * sizeof(T));
  return values;
}

TEST(Compare, EqualIsEqual) {
  const Values values = filled(DataType::kF32, {1000}, {}, 1);
  const Comparison result = compare(values, values, {});
  EXPECT_TRUE(result.passes);
  EXPECT_EQ(result.by_ulps[0], 1000U);
  EXPECT_EQ(result.cosine, 1);
  EXPECT_EQ(result.text(), "All 1000 elements are equal.");
}

TEST(Compare, RelativeAndAbsoluteAddUp) {
  const Values expected = floats({100, 0}), actual = floats({101, 0.5});
  EXPECT_FALSE(compare(expected, actual, {.relative = 0.01}).passes);
  EXPECT_EQ(compare(expected, actual, {.relative = 0.01}).wrong, 1U);
  EXPECT_TRUE(compare(expected, actual, {.relative = 0.005, .absolute = 0.5}).passes);
  EXPECT_EQ(compare(expected, actual, {.absolute = 0.75}).first_wrong, 0U);
}

TEST(Compare, TheScaledPartFollowsTheData) {
  const Values expected = floats({1e-30, 2e-30, -3e-30, 0}),
               actual = floats({1e-30, 2e-30, -3e-30, 1e-31});
  EXPECT_TRUE(compare(expected, actual, {.scaled = 0.1}).passes);
  EXPECT_FALSE(compare(expected, actual, {.scaled = 0.01}).passes);
}

// A kernel that flushes denormals is found by every default but the absolute one of PyTorch.
TEST(Compare, FlushedDenormalsAreWrong) {
  const Values expected = floats({1e-40, -3e-41, 5e-39, 1e-38}), actual = floats({0, 0, 0, 0});
  const Tolerance tolerance = default_tolerance(DataType::kF32, Operation::kElementwise);
  EXPECT_EQ(compare(expected, actual, tolerance).wrong, 4U);
}

TEST(Compare, UlpsAreThoseOfTheType) {
  for (const DataType type : {DataType::kF64, DataType::kF32, DataType::kF16, DataType::kBF16,
                              DataType::kF8E4M3, DataType::kF8E5M2}) {
    Values expected = of(type, {1, 1, 1}), actual = expected;
    const std::size_t size = size_of(type);
    actual.bytes[0] = static_cast<char>(actual.bytes[0] + 3);
    actual.bytes[size] = static_cast<char>(actual.bytes[size] + 1);
    const Comparison result = compare(expected, actual, {.ulps = 2});
    EXPECT_EQ(result.max_ulps, 3) << to_string(type);
    EXPECT_EQ(result.wrong, 1U);
    EXPECT_TRUE(compare(expected, actual, {.ulps = 3}).passes);
    EXPECT_EQ(result.by_ulps[0], 1U);
    EXPECT_EQ(result.by_ulps[1], 1U);
    EXPECT_EQ(result.by_ulps[3], 1U) << "3 is counted with 4";
  }
}

TEST(Compare, UlpsGoThroughZero) {
  const float least = std::numeric_limits<float>::denorm_min();
  const Comparison result = compare(floats({-least, 0.0}), floats({least, -0.0}), {});
  EXPECT_EQ(result.max_ulps, 2);
  EXPECT_EQ(result.wrong, 1U);
  EXPECT_EQ(result.by_ulps[0], 1U) << "zeros of both signs are equal";
}

TEST(Compare, NansAndInfinitiesHaveRules) {
  const Values expected = floats({kNan, kInfinity, -kInfinity, 1, kInfinity, 3.4e38});
  const Values actual = floats({kNan, kInfinity, kInfinity, kNan, 3.4e38, kInfinity});
  const Comparison result =
      compare(expected, actual, {.relative = 1e9, .absolute = 1e300, .ulps = 1e9});
  EXPECT_EQ(result.wrong, 4U);
  EXPECT_EQ(result.wrong_nans, 1U);
  EXPECT_EQ(result.wrong_infinities, 3U);
  EXPECT_EQ(compare(expected, actual, {.equal_nan = false}).wrong, 5U);
  EXPECT_FALSE(compare(expected, expected, pytorch_tolerance(DataType::kF32)).passes);
  EXPECT_THAT(result.text(), HasSubstr("NaN"));
}

TEST(Compare, LargeIntegersAreComparedAsIntegers) {
  const auto expected = integers<std::int64_t>(
      DataType::kI64, {9007199254740993, std::numeric_limits<std::int64_t>::min()});
  const auto actual = integers<std::int64_t>(
      DataType::kI64, {9007199254740992, std::numeric_limits<std::int64_t>::max()});
  const Comparison result = compare(expected, actual, {});
  EXPECT_EQ(result.wrong, 2U);
  EXPECT_THAT(result.text(), HasSubstr("9007199254740992, expected 9007199254740993"));
  EXPECT_EQ(compare(expected, actual, {.absolute = 1}).wrong, 1U);
  const auto large =
      integers<std::uint64_t>(DataType::kU64, {std::numeric_limits<std::uint64_t>::max()});
  const auto less =
      integers<std::uint64_t>(DataType::kU64, {std::numeric_limits<std::uint64_t>::max() - 1});
  EXPECT_FALSE(compare(large, less, {}).passes);
  EXPECT_TRUE(compare(large, less, {.absolute = 1}).passes);
}

TEST(Compare, TruthIsNotABitPattern) {
  const auto expected = integers<std::uint8_t>(DataType::kBool, {1, 0, 1});
  const auto actual = integers<std::uint8_t>(DataType::kBool, {255, 0, 0});
  EXPECT_EQ(compare(expected, actual, {}).wrong, 1U);
}

TEST(Compare, AnyOrderIsThatOfAMultiset) {
  const Tolerance tolerance{.absolute = 0.01, .any_order = true};
  EXPECT_TRUE(compare(floats({1, 2, 2, kNan}), floats({2, kNan, 1.005, 2}), tolerance).passes);
  EXPECT_FALSE(compare(floats({1, 2, 2}), floats({1, 1, 2}), tolerance).passes)
      << "each counts once";
  const Comparison result = compare(floats({7, 1, 2}), floats({2, 1, 9}), tolerance);
  EXPECT_EQ(result.wrong, 1U);
  EXPECT_EQ(result.first_wrong, 0U);
  EXPECT_EQ(result.first_actual, 9);
}

// Against all pairings, on small random sets.
TEST(Compare, AnyOrderFindsAPairingIfThereIsOne) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    Values expected = zeros(DataType::kI32, {5}), actual = expected;
    for (std::size_t i = 0; i < 5; ++i) {
      store(expected, i, static_cast<double>(random() % 12) - 4);
      store(actual, i, static_cast<double>(random() % 12) - 4);
    }
    const Tolerance tolerance{.relative = 0.3, .absolute = 1, .any_order = true};
    std::vector<std::size_t> order(5);
    std::iota(order.begin(), order.end(), std::size_t{0});
    bool found = false;
    do {
      bool right = true;
      for (std::size_t i = 0; i < 5; ++i)
        right &=
            std::abs(expected.at(i) - actual.at(order[i])) <= 1 + 0.3 * std::abs(expected.at(i));
      found |= right;
    } while (std::next_permutation(order.begin(), order.end()));
    ASSERT_EQ(compare(expected, actual, tolerance).passes, found);
  }
}

TEST(Compare, TheCosineJudgesVectors) {
  const Values expected = floats({1, 0, 0}), close = floats({1, 0.01, 0}), far = floats({1, 1, 0});
  EXPECT_TRUE(compare(expected, close, {.cosine = 0.999}).passes);
  EXPECT_FALSE(compare(expected, far, {.cosine = 0.999}).passes);
  EXPECT_NEAR(compare(expected, far, {.cosine = 0.999}).cosine, std::sqrt(0.5), 1e-9);
  EXPECT_FALSE(compare(expected, close, {.relative = 1e-3, .cosine = 0.999}).passes)
      << "both hold, where both are given";
  EXPECT_FALSE(compare(expected, floats({1, kNan, 0}), {.cosine = 0.999}).passes);
  EXPECT_NEAR(
      compare(of(DataType::kF64, {1e300, 1e300}), of(DataType::kF64, {1e300, 1.1e300}), {}).cosine,
      0.9989, 1e-3);
  EXPECT_EQ(compare(expected, floats({0, 0, 0}), {}).cosine, 0);
}

TEST(Compare, WhatCannotBeComparedIsAProblem) {
  const Values expected = floats({1, 2});
  EXPECT_THAT(compare(expected, of(DataType::kF64, {1, 2}), {}).problem,
              HasSubstr("expected f32, got f64"));
  Values reshaped = expected;
  reshaped.shape = {2, 1};
  const Comparison result = compare(expected, reshaped, {});
  EXPECT_FALSE(result.passes);
  EXPECT_THAT(result.text(), HasSubstr("expected shape [2], got [2, 1]"));
  Values cut = expected;
  cut.bytes.resize(5);
  EXPECT_THAT(compare(expected, cut, {}).problem, HasSubstr("5 bytes"));
}

TEST(Compare, NoElementsAgree) {
  const Values nothing = zeros(DataType::kF32, {4, 0});
  EXPECT_TRUE(compare(nothing, nothing, {}).passes);
}

TEST(Compare, TheFirstAndTheWorstAreNamed) {
  Values expected = zeros(DataType::kF32, {3, 4}), actual = expected;
  for (std::size_t i = 0; i < 12; ++i) store(expected, i, 1);
  actual.bytes = expected.bytes;
  store(actual, 5, 1.5);
  store(actual, 10, 3);
  const Comparison result = compare(expected, actual, {.relative = 1e-6});
  EXPECT_EQ(
      result.text(),
      "2 of 12 elements differ (first [1, 1]: 1.5, expected 1; allowed: relative 1e-06). The "
      "largest error "
      "is 1.258e+07 ulps, at [2, 2] (largest relative 2, absolute 2). The cosine is 0.908025.");
}

// Element by element, without the short cut for equal bytes.
TEST(Compare, ChunksChangeNothing) {
  Values expected = filled(DataType::kF16, {100000}, {Distribution::Kind::kEdges}, 7),
         actual = expected;
  std::mt19937 random(6);
  std::size_t wrong = 0;
  for (int i = 0; i < 40; ++i) {
    const std::size_t at = random() % expected.count();
    const double before = actual.at(at);
    store(actual, at, std::isfinite(before) ? before + 1 : 0);
  }
  for (std::size_t i = 0; i < expected.count(); ++i) {
    const double e = expected.at(i), a = actual.at(i);
    wrong += !(e == a || (std::isnan(e) && std::isnan(a)));
  }
  const Comparison result = compare(expected, actual, {});
  EXPECT_EQ(result.wrong, wrong);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(result.is_wrong, true)), wrong);
  EXPECT_EQ(std::accumulate(result.by_ulps.begin(), result.by_ulps.end(), std::size_t{0}),
            expected.count());
}

TEST(Compare, ASampleSpeaksOfTheWholeTensor) {
  const Values expected = floats({1, 2, 3}), actual = floats({1, 2, 4});
  const std::vector<std::int64_t> indices{0, 50, 99};
  const Comparison result = compare_sample(expected, actual, {10, 10}, indices, {});
  EXPECT_EQ(result.first_wrong, 99U);
  EXPECT_EQ(result.worst, 99U);
  EXPECT_THAT(result.text(), HasSubstr("1 of 3 elements differs (first [9, 9]: 4, expected 3"));
}

TEST(HeatMap, IsAPngOfTheTensorsSize) {
  Values expected = zeros(DataType::kF32, {600, 1000}), actual = expected;
  for (std::size_t i = 0; i < 5000; ++i) store(actual, i * 100, 1);
  const std::string png = heat_map(expected, actual, compare(expected, actual, {}));
  ASSERT_GT(png.size(), 33U);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1A\n");
  EXPECT_EQ(png.substr(16, 8), std::string("\0\0\1\xF4\0\0\1\x2C", 8)) << "500 by 300";
  EXPECT_EQ(heat_map(expected, zeros(DataType::kF32, {3}),
                     compare(expected, zeros(DataType::kF32, {3}), {})),
            "");
}

}  // namespace

}  // namespace hipwright::verify
