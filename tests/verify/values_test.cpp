// SPDX-License-Identifier: MIT
#include "verify/numeric/values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "verify/numeric/float_format.h"

namespace hipwright::verify {

namespace {

using ::testing::HasSubstr;

struct Named {
  const char* name;
  DataType type;
  FloatFormat format;
  friend void PrintTo(const Named& named, std::ostream* out) { *out << named.name; }
};

// Formats that are small enough to look at every value.
class SmallFloat : public ::testing::TestWithParam<Named> {
 protected:
  const FloatFormat& format() const { return GetParam().format; }
  std::uint64_t values() const { return std::uint64_t{1} << format().bits; }
};
INSTANTIATE_TEST_SUITE_P(, SmallFloat,
                         ::testing::Values(Named{"f16", DataType::kF16, kFloat16},
                                           Named{"bf16", DataType::kBF16, kBrain16},
                                           Named{"e4m3", DataType::kF8E4M3, kE4M3},
                                           Named{"e5m2", DataType::kF8E5M2, kE5M2}),
                         [](const auto& each) { return each.param.name; });

TEST_P(SmallFloat, EveryValueComesBack) {
  Values values = zeros(GetParam().type, {static_cast<std::int64_t>(this->values())});
  for (std::uint64_t bits = 0; bits < this->values(); ++bits) {
    const double value = decode(bits, format());
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(decode(encode(value, format()), format())));
      continue;
    }
    ASSERT_EQ(encode(value, format()), bits) << value;
    store(values, bits, value);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(values.at(bits)), std::bit_cast<std::uint64_t>(value));
  }
}

// Values by the definition of the format, with ldexp.
TEST_P(SmallFloat, ValuesAreThoseOfTheDefinition) {
  const FloatFormat& f = format();
  for (std::uint64_t bits = 0; bits < values() / 2; ++bits) {
    const auto exponent = static_cast<int>(bits >> f.mantissa);
    const auto fraction = static_cast<double>(bits & ((1U << f.mantissa) - 1));
    const double scale = std::ldexp(1.0, -f.mantissa);
    const double wanted = exponent == 0 ? std::ldexp(fraction * scale, 1 - f.bias)
                                        : std::ldexp(1 + fraction * scale, exponent - f.bias);
    const int last = (1 << (f.bits - 1 - f.mantissa)) - 1;
    const bool is_special = exponent == last && (f.has_infinity || bits == f.sign_bit() - 1);
    if (is_special) {
      EXPECT_FALSE(std::isfinite(decode(bits, f)));
      continue;
    }
    ASSERT_EQ(decode(bits, f), wanted) << bits;
    ASSERT_EQ(decode(bits | f.sign_bit(), f), -wanted) << bits;
  }
}

// The nearest of all values, found by searching them; of two that are as near, the even one.
std::uint64_t nearest(const std::vector<double>& finite, const FloatFormat& format, double value) {
  const double magnitude = std::abs(value);
  const std::uint64_t sign = std::signbit(value) ? format.sign_bit() : 0;
  const auto above =
      static_cast<std::size_t>(std::ranges::lower_bound(finite, magnitude) - finite.begin());
  const std::uint64_t beyond = format.has_infinity ? format.infinity() : format.largest();
  if (above == finite.size() - 1 && magnitude > finite[above - 1]) {
    // The last entry is where the next number would be, if there were one.
    const double middle = (finite[above - 1] + finite[above]) / 2;
    const bool stays = magnitude < middle || (magnitude == middle && (format.largest() & 1) == 0);
    return sign | (stays ? format.largest() : beyond);
  }
  if (above >= finite.size()) return sign | beyond;
  if (above == 0 || finite[above] == magnitude) return sign | above;
  const long double up = static_cast<long double>(finite[above]) - magnitude;
  const long double down = static_cast<long double>(magnitude) - finite[above - 1];
  if (up == down) return sign | (above % 2 == 0 ? above : above - 1);
  return sign | (up < down ? above : above - 1);
}

TEST_P(SmallFloat, RoundsToTheNearestEven) {
  std::vector<double> finite;
  for (std::uint64_t bits = 0; bits <= format().largest(); ++bits)
    finite.push_back(decode(bits, format()));
  finite.push_back(2 * finite.back() - finite[finite.size() - 2]);
  std::mt19937_64 random(1);
  std::vector<double> samples{0.0, -0.0, 1e300, -1e300, 5e-324, HUGE_VAL, -HUGE_VAL};
  for (std::size_t i = 0; i + 1 < finite.size(); ++i) {
    const double middle = (finite[i] + finite[i + 1]) / 2;
    for (const double value :
         {middle, std::nextafter(middle, 0), std::nextafter(middle, HUGE_VAL)}) {
      samples.push_back(value);
      samples.push_back(-value);
    }
    samples.push_back(finite[i] + (finite[i + 1] - finite[i]) *
                                      std::uniform_real_distribution(0.0, 1.0)(random));
  }
  for (int i = 0; i < 100000; ++i)
    if (const double any = std::bit_cast<double>(random()); !std::isnan(any))
      samples.push_back(any);
  for (const double value : samples)
    ASSERT_EQ(encode(value, format()), nearest(finite, format(), value)) << value;
}

TEST(Values, HalvesAreRoundedAsTheCompilerDoes) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 200000; ++i) {
    const double value = std::ldexp(std::uniform_real_distribution(-1.0, 1.0)(random),
                                    static_cast<int>(random() % 48) - 28);
    const auto half = static_cast<_Float16>(value);
    ASSERT_EQ(encode(value, kFloat16), std::bit_cast<std::uint16_t>(half)) << value;
  }
}

TEST(Values, FloatsAreRoundedAsTheCompilerDoes) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 500000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (std::isnan(value)) continue;
    ASSERT_EQ(encode(value, kFloat32), std::bit_cast<std::uint32_t>(static_cast<float>(value)))
        << value;
    const double small = std::ldexp(value / 1e300, -140);
    ASSERT_EQ(encode(small, kFloat32), std::bit_cast<std::uint32_t>(static_cast<float>(small)))
        << small;
  }
}

TEST(Values, StepsAreThoseOfNextafter) {
  std::mt19937 random(4);
  for (int i = 0; i < 100000; ++i) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(value) || std::abs(value) == std::numeric_limits<float>::max()) continue;
    const float next = std::nextafter(value, HUGE_VALF);
    ASSERT_EQ(ordinal(std::bit_cast<std::uint32_t>(next), kFloat32) -
                  ordinal(std::bit_cast<std::uint32_t>(value), kFloat32),
              value == 0 || next == 0 ? std::abs(value - next) > 0 : 1)
        << value;
  }
  EXPECT_EQ(ordinal(0x80000000, kFloat32), 0);
  EXPECT_EQ(distance(ordinal(std::bit_cast<std::uint64_t>(-1e308), kFloat64),
                     ordinal(std::bit_cast<std::uint64_t>(1e308), kFloat64)),
            2 * (std::bit_cast<std::uint64_t>(1e308)));
}

// OCP's table: the largest numbers, and what is beyond them.
TEST(Values, EightBitFloatsAreOcps) {
  EXPECT_EQ(decode(0x7E, kE4M3), 448);
  EXPECT_TRUE(std::isnan(decode(0x7F, kE4M3)));
  EXPECT_TRUE(std::isnan(decode(0xFF, kE4M3)));
  EXPECT_EQ(decode(0x01, kE4M3), std::ldexp(1, -9));
  EXPECT_EQ(encode(1e9, kE4M3), 0x7E);
  EXPECT_EQ(decode(0x7B, kE5M2), 57344);
  EXPECT_EQ(decode(0x7C, kE5M2), HUGE_VAL);
  EXPECT_EQ(decode(0x01, kE5M2), std::ldexp(1, -16));
  EXPECT_EQ(encode(1e9, kE5M2), 0x7C);
  EXPECT_EQ(decode(0x80, kE4M3), 0);
  EXPECT_TRUE(std::signbit(decode(0x80, kE4M3)));
}

template <class T>
void expect_integer(DataType type) {
  Values values = zeros(type, {8});
  const double least = static_cast<double>(std::numeric_limits<T>::min());
  const double given[] = {0, 1.5, 2.5, -1e30, 1e30, std::nan(""), 100, least};
  for (std::size_t i = 0; i < 8; ++i) store(values, i, given[i]);
  T stored[8];
  std::memcpy(stored, values.bytes.data(), sizeof stored);
  EXPECT_EQ(stored[1], 2);
  EXPECT_EQ(stored[2], 2) << "ties go to the even number";
  EXPECT_EQ(stored[3], std::numeric_limits<T>::min());
  EXPECT_EQ(stored[4], std::numeric_limits<T>::max());
  EXPECT_EQ(stored[5], 0);
  EXPECT_EQ(values.at(6), 100);
  EXPECT_EQ(values.at(7), least);
}

TEST(Values, IntegersAreClampedToTheirRange) {
  expect_integer<std::uint8_t>(DataType::kU8);
  expect_integer<std::int8_t>(DataType::kI8);
  expect_integer<std::uint16_t>(DataType::kU16);
  expect_integer<std::int16_t>(DataType::kI16);
  expect_integer<std::uint32_t>(DataType::kU32);
  expect_integer<std::int32_t>(DataType::kI32);
  expect_integer<std::uint64_t>(DataType::kU64);
  expect_integer<std::int64_t>(DataType::kI64);
}

TEST(Values, TypesHaveTheNamesThatPeopleUse) {
  EXPECT_EQ(*parse_type("f32"), DataType::kF32);
  EXPECT_EQ(*parse_type("BF16"), DataType::kBF16);
  EXPECT_EQ(*parse_type("half"), DataType::kF16);
  EXPECT_EQ(*parse_type("f8e4m3"), DataType::kF8E4M3);
  EXPECT_THAT(parse_type("float33").error().message(), HasSubstr("f32"));
  EXPECT_THAT(parse_type("f8e4m3fnuz").error().message(), HasSubstr("OCP"));
}

TEST(Values, AnIndexIsWrittenByDimensions) {
  EXPECT_EQ(index_text({2, 3}, 4), "[1, 1]");
  EXPECT_EQ(index_text({5}, 4), "[4]");
  EXPECT_EQ(index_text({}, 0), "[]");
}

TEST(Values, ValuesAreShownWithTheirDigits) {
  Values values = zeros(DataType::kU64, {1});
  const std::uint64_t large = 18446744073709551615U;
  std::memcpy(values.bytes.data(), &large, sizeof large);
  EXPECT_EQ(value_text(values, 0), "18446744073709551615");
  Values floats = zeros(DataType::kF32, {1});
  store(floats, 0, 0.1);
  EXPECT_EQ(value_text(floats, 0), "0.1");
}

}  // namespace

}  // namespace hipwright::verify
