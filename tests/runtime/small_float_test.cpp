// SPDX-License-Identifier: MIT
#include "runtime/collectives/small_float.h"

#include <limits>

#include <gtest/gtest.h>

namespace hipwright::runtime {

namespace {

template <class Float>
class SmallFloats : public ::testing::Test {};
using Formats = ::testing::Types<Half, BFloat16, Fp8E4M3, Fp8E5M2>;
TYPED_TEST_SUITE(SmallFloats, Formats);

template <class Float>
using BitsOf = decltype(Float::encode(0.0F, false));

TYPED_TEST(SmallFloats, EveryValueComesBack) {
  using Bits = BitsOf<TypeParam>;
  for (std::uint32_t code = 0; code <= std::numeric_limits<Bits>::max(); ++code) {
    const float value = TypeParam::decode(static_cast<Bits>(code));
    const Bits again = TypeParam::encode(value, false);
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(TypeParam::decode(again))) << code;
    else
      EXPECT_EQ(again, code);
  }
}

TYPED_TEST(SmallFloats, BetweenTwoNeighboursTheNearerIsTakenAndTheEvenOneInTheMiddle) {
  using Bits = BitsOf<TypeParam>;
  for (std::uint32_t code = 0; code < TypeParam::kLargest; ++code) {
    const float low = TypeParam::decode(static_cast<Bits>(code));
    const float high = TypeParam::decode(static_cast<Bits>(code + 1));
    ASSERT_LT(low, high);
    const float middle = low + (high - low) / 2;
    if (middle == low || middle == high) continue;  // of bfloat16's smallest, in float
    EXPECT_EQ(TypeParam::encode(middle, false), code % 2 == 0 ? code : code + 1) << code;
    EXPECT_EQ(TypeParam::encode(std::nextafter(middle, low), false), code) << code;
    EXPECT_EQ(TypeParam::encode(std::nextafter(middle, high), false), code + 1) << code;
    EXPECT_EQ(TypeParam::encode(-middle, false),
              TypeParam::kSign | (code % 2 == 0 ? code : code + 1));
  }
}

TYPED_TEST(SmallFloats, WhatIsTooLargeIsInfiniteOrTheLargest) {
  const auto too_large = {std::numeric_limits<float>::infinity(), 3.4e38F};
  for (const float value : too_large) {
    if (value < std::numeric_limits<float>::infinity() &&
        TypeParam::decode(TypeParam::kLargest) > 1e38F)
      continue;  // bfloat16 has it
    EXPECT_EQ(TypeParam::encode(value, true), TypeParam::kLargest);
    EXPECT_EQ(TypeParam::encode(-value, true), TypeParam::kSign | TypeParam::kLargest);
  }
}

TEST(SmallFloats, HaveTheLimitsOfTheirStandards) {
  EXPECT_EQ(Half::decode(0x7BFF), 65504.0F);
  EXPECT_EQ(Half::decode(0x0001), std::ldexp(1.0F, -24));
  EXPECT_EQ(Half::encode(65520.0F, false), 0x7C00);  // rounds to infinity
  EXPECT_EQ(Half::encode(65519.0F, false), 0x7BFF);
  EXPECT_EQ(BFloat16::decode(0x3F80), 1.0F);
  EXPECT_EQ(BFloat16::encode(3.4e38F, false), 0x7F80);
  EXPECT_EQ(Fp8E4M3::decode(0x7E), 448.0F);
  EXPECT_EQ(Fp8E4M3::decode(0x01), std::ldexp(1.0F, -9));
  EXPECT_TRUE(std::isnan(Fp8E4M3::decode(0x7F)));
  EXPECT_TRUE(std::isnan(Fp8E4M3::decode(0xFF)));
  EXPECT_EQ(Fp8E4M3::encode(1000.0F, false), 0x7E);  // it has no infinity
  EXPECT_EQ(Fp8E5M2::decode(0x7B), 57344.0F);
  EXPECT_EQ(Fp8E5M2::encode(1e6F, false), 0x7C);
  EXPECT_EQ(Fp8E5M2::encode(1e6F, true), 0x7B);
}

}  // namespace

}  // namespace hipwright::runtime
