// SPDX-License-Identifier: MIT
// Floats of 8 and 16 bits on the host: to float exactly, and from float to the nearest, ties to
// even.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace hipwright::runtime {

enum class Special {
  kIeee,   // infinities and NaNs, as IEEE 754 has them
  kFinite  // OCP e4m3: no infinity, one NaN of each sign
};

template <class Bits, unsigned kExponentBits, unsigned kMantissaBits, Special kSpecial>
struct SmallFloat {
  static_assert(1 + kExponentBits + kMantissaBits == 8 * sizeof(Bits));
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  static constexpr std::uint32_t kSign = 1U << (kExponentBits + kMantissaBits);
  static constexpr std::uint32_t kMantissa = (1U << kMantissaBits) - 1;
  static constexpr std::uint32_t kTopExponent = (1U << kExponentBits) - 1;
  static constexpr std::uint32_t kInfinity = kTopExponent << kMantissaBits;  // of kIeee
  static constexpr std::uint32_t kNan =
      kSpecial == Special::kIeee ? kInfinity | (1U << (kMantissaBits - 1)) : kSign - 1;
  static constexpr std::uint32_t kLargest = kSpecial == Special::kIeee ? kInfinity - 1 : kNan - 1;

  static float decode(Bits bits) {
    const std::uint32_t exponent = (bits >> kMantissaBits) & kTopExponent;
    const std::uint32_t mantissa = bits & kMantissa;
    const float sign = (bits & kSign) != 0 ? -1.0F : 1.0F;
    if constexpr (kSpecial == Special::kIeee) {
      if (exponent == kTopExponent) return mantissa == 0 ? sign * INFINITY : NAN;
    } else {
      if ((bits & (kSign - 1)) == kNan) return NAN;
    }
    if (exponent == 0)
      return sign *
             std::ldexp(static_cast<float>(mantissa), 1 - kBias - static_cast<int>(kMantissaBits));
    return sign *
           std::bit_cast<float>((exponent + 127 - kBias) << 23 | mantissa << (23 - kMantissaBits));
  }

  // What is too large becomes infinity, or with `saturate` the largest finite number.
  static Bits encode(float value, bool saturate) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 31) != 0 ? kSign : 0;
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    if (magnitude > 0x7F800000U) return static_cast<Bits>(sign | kNan);
    std::uint32_t code = kInfinity;
    if (magnitude < (static_cast<std::uint32_t>(128 - kBias) << 23)) {  // below the normal ones
      const float scaled =
          std::ldexp(std::bit_cast<float>(magnitude), kBias - 1 + static_cast<int>(kMantissaBits));
      code = static_cast<std::uint32_t>(std::nearbyint(scaled));
    } else if (magnitude < 0x7F800000U) {
      constexpr unsigned kDropped = 23 - kMantissaBits;
      const std::uint32_t odd = (magnitude >> kDropped) & 1;
      const std::uint32_t rounded = magnitude + ((1U << (kDropped - 1)) - 1) + odd;
      code = (rounded >> kDropped) - (static_cast<std::uint32_t>(127 - kBias) << kMantissaBits);
    }
    if (code > kLargest || magnitude == 0x7F800000U)
      code = saturate || kSpecial == Special::kFinite ? kLargest : kInfinity;
    return static_cast<Bits>(sign | code);
  }
};

using Half = SmallFloat<std::uint16_t, 5, 10, Special::kIeee>;
using BFloat16 = SmallFloat<std::uint16_t, 8, 7, Special::kIeee>;
using Fp8E4M3 = SmallFloat<std::uint8_t, 4, 3, Special::kFinite>;
using Fp8E5M2 = SmallFloat<std::uint8_t, 5, 2, Special::kIeee>;

}  // namespace hipwright::runtime
