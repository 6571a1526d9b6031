// SPDX-License-Identifier: MIT
#include "verify/numeric/float_format.h"

#include <algorithm>

namespace hipwright::verify {

const FloatFormat* format_of(DataType type) {
  switch (type) {
    case DataType::kF64:
      return &kFloat64;
    case DataType::kF32:
      return &kFloat32;
    case DataType::kF16:
      return &kFloat16;
    case DataType::kBF16:
      return &kBrain16;
    case DataType::kF8E4M3:
      return &kE4M3;
    case DataType::kF8E5M2:
      return &kE5M2;
    default:
      return nullptr;
  }
}

std::uint64_t encode(double value, const FloatFormat& format) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  if (format.bits == 64) return bits;
  const std::uint64_t sign = bits >> 63 << (format.bits - 1);
  const std::uint64_t magnitude = bits & (kFloat64.sign_bit() - 1);
  if (magnitude > kFloat64.infinity()) return sign | format.quiet_nan();
  const std::uint64_t too_large = format.has_infinity ? format.infinity() : format.largest();
  if (magnitude == kFloat64.infinity()) return sign | too_large;
  if (magnitude == 0) return sign;

  // value = significand * 2^scale; the result counts in units of 2^unit.
  const int field = static_cast<int>(magnitude >> 52);
  const std::uint64_t significand =
      field == 0 ? magnitude
                 : (magnitude & (kFloat64.least_normal() - 1)) | kFloat64.least_normal();
  const int scale = std::max(field, 1) - 1023 - 52;
  const int exponent = std::bit_width(significand) - 1 + scale;
  const int least_exponent = 1 - format.bias;
  const int unit = std::max(exponent, least_exponent) - format.mantissa;
  const int dropped = unit - scale;  // bits; a double has more than any other format, so >= 0
  if (dropped > 54) return sign;     // below half of the least denormal
  const std::uint64_t whole = significand >> dropped;
  const std::uint64_t rest = significand - (whole << dropped);
  const std::uint64_t half = dropped == 0 ? 0 : std::uint64_t{1} << (dropped - 1);
  const bool up = dropped != 0 && (rest > half || (rest == half && (whole & 1) != 0));
  // `whole` has the hidden bit of normal numbers; a carry moves into the exponent by itself.
  const std::uint64_t steps =
      static_cast<std::uint64_t>(std::max(exponent, least_exponent) - least_exponent)
      << format.mantissa;
  const std::uint64_t rounded = steps + whole + (up ? 1 : 0);
  return sign | (rounded > format.largest() ? too_large : rounded);
}

}  // namespace hipwright::verify
