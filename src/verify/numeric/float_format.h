// SPDX-License-Identifier: MIT
// Floating-point types as bits: exact values, rounding to nearest even, distances in units of the
// last place.
#pragma once

#include <bit>
#include <cstdint>

#include "hipwright/checkpoint.h"

namespace hipwright::verify {

struct FloatFormat {
  int bits;      // of the whole
  int mantissa;  // stored bits of it
  int bias;
  bool has_infinity;  // e4m3 has none: its largest exponent is for numbers, all ones is NaN

  constexpr std::uint64_t sign_bit() const { return std::uint64_t{1} << (bits - 1); }
  // The greatest magnitude that is a number.
  constexpr std::uint64_t largest() const { return has_infinity ? infinity() - 1 : sign_bit() - 2; }
  // If there is one. Greater magnitudes are NaNs.
  constexpr std::uint64_t infinity() const { return sign_bit() - (std::uint64_t{1} << mantissa); }
  constexpr std::uint64_t quiet_nan() const {
    return has_infinity ? infinity() | std::uint64_t{1} << (mantissa - 1) : sign_bit() - 1;
  }
  constexpr std::uint64_t least_normal() const { return std::uint64_t{1} << mantissa; }
  // The distance from 1 to the next number.
  constexpr double epsilon() const {
    return 1.0 / static_cast<double>(std::uint64_t{1} << mantissa);
  }
};

constexpr FloatFormat kFloat64{64, 52, 1023, true};
constexpr FloatFormat kFloat32{32, 23, 127, true};
constexpr FloatFormat kFloat16{16, 10, 15, true};
constexpr FloatFormat kBrain16{16, 7, 127, true};
constexpr FloatFormat kE5M2{8, 2, 15, true};
constexpr FloatFormat kE4M3{8, 3, 7, false};

// Of a type that is not a float: nullptr.
const FloatFormat* format_of(DataType type);

// 2^exponent, of a normal number.
constexpr double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

constexpr double decode(std::uint64_t bits, const FloatFormat& format) {
  if (format.bits == 64) return std::bit_cast<double>(bits);
  if (format.bits == 32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  const std::uint64_t magnitude = bits & (format.sign_bit() - 1);
  const std::uint64_t sign = (bits & format.sign_bit()) << (64 - format.bits);
  if (magnitude > format.largest()) {
    const bool is_infinity = format.has_infinity && magnitude == format.infinity();
    return std::bit_cast<double>(sign | (is_infinity ? kFloat64.infinity() : kFloat64.quiet_nan()));
  }
  const int exponent = static_cast<int>(magnitude >> format.mantissa);
  const std::uint64_t fraction = magnitude & (format.least_normal() - 1);
  // A denormal is a multiple of its unit; both factors are exact, and so is their product.
  const double value = exponent == 0 ? static_cast<double>(fraction) *
                                           power_of_two(1 - format.bias - format.mantissa)
                                     : static_cast<double>(fraction | format.least_normal()) *
                                           power_of_two(exponent - format.bias - format.mantissa);
  return sign != 0 ? -value : value;
}

std::uint64_t encode(double value, const FloatFormat& format);

// Numbers in order, one apart from the next; both zeros are 0.
constexpr std::int64_t ordinal(std::uint64_t bits, const FloatFormat& format) {
  const auto magnitude = static_cast<std::int64_t>(bits & (format.sign_bit() - 1));
  return (bits & format.sign_bit()) != 0 ? -magnitude : magnitude;
}

// The number of representable steps between two numbers.
constexpr std::uint64_t distance(std::int64_t a, std::int64_t b) {
  return a < b ? static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a)
               : static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
}

}  // namespace hipwright::verify
