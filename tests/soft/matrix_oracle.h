// SPDX-License-Identifier: MIT
// What matrix instructions must give, written from the documents and apart from the handlers:
// formats bit by bit, sums in 128-bit integers, one element at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace hipwright::soft::matrix_test {

using Wide = __int128;

// "f16", "bf16", "fp8", … as mnemonics spell them.
struct Format {
  std::string name;
  int exponent_bits = 0, mantissa_bits = 0, bias = 0;
  enum class Special { kIeee, kOnlyNan, kFnuz, kNone } special = Special::kIeee;

  int bits() const { return 1 + exponent_bits + mantissa_bits; }
};
inline Format format_named(std::string_view name, bool fnuz) {
  using enum Format::Special;
  if (name == "f64") return {"f64", 11, 52, 1023, kIeee};
  if (name == "f32" || name == "xf32") return {std::string(name), 8, 23, 127, kIeee};
  if (name == "f16") return {"f16", 5, 10, 15, kIeee};
  if (name == "bf16") return {"bf16", 8, 7, 127, kIeee};
  if (name == "fp8") return {"fp8", 4, 3, fnuz ? 8 : 7, fnuz ? kFnuz : kOnlyNan};
  if (name == "bf8") return {"bf8", 5, 2, fnuz ? 16 : 15, fnuz ? kFnuz : kIeee};
  if (name == "fp6") return {"fp6", 2, 3, 1, kNone};
  if (name == "bf6") return {"bf6", 3, 2, 3, kNone};
  if (name == "fp4") return {"fp4", 2, 1, 1, kNone};
  return {std::string(name), 0, 0, 0, kNone};  // integers
}

// A number as sign × significand × 2^(exponent - mantissa_bits): denormals keep the exponent of
// the smallest normal number.
struct Number {
  std::int64_t significand = 0;  // with sign
  int exponent = 0;
  bool nan = false, infinite = false, negative = false;
  double value = 0;
};
inline Number decode_number(std::uint64_t bits, const Format& f) {
  const std::uint64_t mask = (std::uint64_t{1} << f.mantissa_bits) - 1;
  const std::uint64_t fraction = bits & mask;
  const auto field =
      static_cast<int>(bits >> f.mantissa_bits & ((std::uint64_t{1} << f.exponent_bits) - 1));
  const bool negative = (bits >> (f.bits() - 1) & 1) != 0;
  const int top = (1 << f.exponent_bits) - 1;
  Number n;
  n.negative = negative;
  using enum Format::Special;
  if (f.special == kIeee && field == top) {
    n.nan = fraction != 0;
    n.infinite = fraction == 0;
  }
  if (f.special == kOnlyNan && field == top && fraction == mask) n.nan = true;
  if (f.special == kFnuz && negative && field == 0 && fraction == 0) n.nan = true;
  n.exponent = std::max(field, 1) - f.bias;
  n.significand = static_cast<std::int64_t>(fraction | (field != 0 ? mask + 1 : 0));
  if (negative) n.significand = -n.significand;
  n.value = std::ldexp(static_cast<double>(n.significand), n.exponent - f.mantissa_bits);
  if (negative && n.significand == 0) n.value = -0.0;
  if (n.infinite) n.value = negative ? -HUGE_VAL : HUGE_VAL;
  if (n.nan) n.value = std::numeric_limits<double>::quiet_NaN();
  return n;
}

inline Wide floor_shift(Wide value, int places) {  // value / 2^places rounded down
  if (places <= 0) return value << -places;
  return places > 120 ? (value < 0 ? -1 : 0) : value >> places;
}
inline Wide truncate_shift(Wide value, int places) {
  return value < 0 ? -floor_shift(-value, places) : floor_shift(value, places);
}

// value × 2^scale to the nearest float, ties to even, by integers alone.
inline float nearest_float(Wide value, int scale) {
  const bool negative = value < 0;
  Wide size = negative ? -value : value;
  if (size == 0) return 0.0F;
  int top = 0;
  for (Wide rest = size; rest > 1; rest >>= 1) ++top;
  const int exponent = std::max(top + scale, -126);
  const int drop = exponent - 23 - scale;  // bits below the last place
  Wide kept = size;
  if (drop > 126) {
    kept = 0;
  } else if (drop > 0) {
    kept = size >> drop;
    const Wide rest = size - (kept << drop), half = Wide{1} << (drop - 1);
    if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  } else {
    kept = size << -drop;
  }
  const double magnitude = std::ldexp(static_cast<double>(kept), exponent - 23);
  const float result = magnitude >= 0x1p128 ? HUGE_VALF : static_cast<float>(magnitude);
  return negative ? -result : result;
}

// One group of CDNA3: products of x[k]·y[k] and the accumulator.
inline float cdna3_group(const std::vector<Number>& x, const std::vector<Number>& y, int x_bits,
                         int y_bits, float c, bool eight_bit) {
  double plain = 0;
  bool up = false, down = false;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double product = x[k].value * y[k].value;
    plain += product;
    up |= product >= 0x1p128;
    down |= product <= -0x1p128;
  }
  plain += static_cast<double>(c);
  if (!std::isfinite(plain)) return static_cast<float>(plain);
  if (up || down)
    return up && down ? std::numeric_limits<float>::quiet_NaN() : up ? HUGE_VALF : -HUGE_VALF;

  const auto exponent_of = [](const Number& n) { return n.significand == 0 ? -126 : n.exponent; };
  const auto fused = [&](std::size_t first, std::size_t step, int& exponent) {
    exponent = -100000;
    for (std::size_t k = first; k < x.size(); k += step)
      exponent = std::max(exponent, exponent_of(x[k]) + exponent_of(y[k]));
    Wide sum = 0;  // in units of 2^(exponent - 24)
    for (std::size_t k = first; k < x.size(); k += step) {
      const Wide product = Wide{x[k].significand} * y[k].significand;
      const int own = exponent_of(x[k]) + exponent_of(y[k]);
      sum += truncate_shift(product << (24 - x_bits - y_bits), exponent - own);
    }
    return sum;
  };
  int e = 0;
  Wide s = 0;
  if (eight_bit) {
    int e0 = 0, e1 = 0;
    const Wide even = fused(0, 2, e0), odd = fused(1, 2, e1);
    e = std::max(e0, e1);
    s = floor_shift(even, e - e0) + floor_shift(odd, e - e1);
  } else {
    s = fused(0, 1, e);
  }
  const Number accumulator =
      decode_number(std::bit_cast<std::uint32_t>(c), format_named("f32", false));
  const int ec = exponent_of(accumulator);
  const int largest = std::max(e, ec);
  Wide total = floor_shift(s << 7, largest - e);  // in units of 2^(largest - 31)
  if (!eight_bit || ec >= largest - 25)
    total += floor_shift(Wide{accumulator.significand} << 1, largest - ec) << 7;
  return nearest_float(total, largest - 31);
}

// CDNA1: c + Σ x[k]·y[k] in one integer of 1024 bits (here: digits of 32 bits, with sign), rounded
// once.
inline float cdna1_group(const std::vector<Number>& x, const std::vector<Number>& y, int bits,
                         float c) {
  double plain = static_cast<double>(c);
  for (std::size_t k = 0; k < x.size(); ++k) plain += x[k].value * y[k].value;
  if (!std::isfinite(plain)) return static_cast<float>(plain);
  constexpr int kLowest = -300;  // of the exponents that occur
  std::vector<Wide> digits(32);
  const auto add = [&](Wide number, int exponent) {
    const int at = exponent - kLowest;
    digits[static_cast<std::size_t>(at / 32)] += number << at % 32;
  };
  for (std::size_t k = 0; k < x.size(); ++k)
    add(Wide{x[k].significand} * y[k].significand, x[k].exponent + y[k].exponent - 2 * bits);
  const Number own = decode_number(std::bit_cast<std::uint32_t>(c), {"f32", 8, 23, 127});
  add(own.significand, own.exponent - 23);
  for (std::size_t i = 0; i + 1 < digits.size(); ++i) {
    const Wide carry = floor_shift(digits[i], 32);
    digits[i] -= carry << 32;
    digits[i + 1] += carry;
  }
  const bool negative = digits.back() < 0;
  if (negative) {
    Wide borrow = 0;
    for (Wide& digit : digits) {
      const Wide value = -digit + borrow;
      borrow = &digit == &digits.back() ? 0 : floor_shift(value, 32);
      digit = value - (borrow << 32);
    }
  }
  // The upper three digits that are not zero, and whether anything lies below.
  std::size_t top = digits.size() - 1;
  while (top > 2 && digits[top] == 0) --top;
  Wide kept = (((digits[top] << 32) + digits[top - 1]) << 32) + digits[top - 2];
  for (std::size_t i = 0; i + 2 < top; ++i)
    if (digits[i] != 0) kept |= 1;
  const float size = nearest_float(kept, kLowest + 32 * static_cast<int>(top - 2));
  return negative ? -size : size;
}

// CDNA2: a tree of f32 additions without denormals.
inline float no_denormal(float x) {
  return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0F, x) : x;
}
inline float cdna2_tree(const std::vector<float>& products) {
  if (products.size() == 1) return products[0];
  const auto middle = products.begin() + static_cast<std::ptrdiff_t>(products.size() / 2);
  return no_denormal(cdna2_tree({products.begin(), middle}) + cdna2_tree({middle, products.end()}));
}

// Bit patterns of a format: `style` 0 small integers, 1 near one, 2 any finite number, 3 anything.
inline std::uint64_t random_pattern(const Format& f, int style, std::mt19937_64& random) {
  const int field_top = (1 << f.exponent_bits) - 1;
  if (style == 0) {
    const int value = static_cast<int>(random() % 5) - 2;  // -2 … 2
    if (value == 0) return 0;
    const int exponent = std::abs(value) == 2 ? 1 : 0;
    const std::uint64_t sign = value < 0 ? std::uint64_t{1} << (f.bits() - 1) : 0;
    return sign | static_cast<std::uint64_t>(exponent + f.bias) << f.mantissa_bits;
  }
  for (;;) {
    std::uint64_t bits = random() & (~std::uint64_t{0} >> (64 - f.bits()));
    if (style == 1 && f.exponent_bits > 2) {
      const auto field = static_cast<std::uint64_t>(f.bias - 3 + static_cast<int>(random() % 6));
      const std::uint64_t keep = ~(static_cast<std::uint64_t>(field_top) << f.mantissa_bits);
      bits = (bits & keep) | field << f.mantissa_bits;
    }
    if (style == 3 && random() % 4 == 0) {
      const std::uint64_t specials[] = {0,
                                        std::uint64_t{1} << (f.bits() - 1),
                                        1,
                                        static_cast<std::uint64_t>(field_top) << f.mantissa_bits,
                                        (std::uint64_t{1} << (f.bits() - 1)) - 1,
                                        std::uint64_t{1} << f.mantissa_bits};
      bits = specials[random() % 6];
    }
    const Number n = decode_number(bits, f);
    if (style == 3 || (!n.nan && !n.infinite)) return bits;
  }
}

inline std::string registers(std::string_view file, unsigned first, unsigned count) {
  if (count == 1) return fmt::format("{}{}", file, first);
  return fmt::format("{}[{}:{}]", file, first, first + count - 1);
}

inline bool same_float(std::uint32_t got, float want) {
  const auto value = std::bit_cast<float>(got);
  if (std::isnan(want)) return std::isnan(value);
  return got == std::bit_cast<std::uint32_t>(want);
}

}  // namespace hipwright::soft::matrix_test
