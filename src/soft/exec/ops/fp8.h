// SPDX-License-Identifier: MIT
// 8-bit floats. gfx942 has the "fnuz" formats (no infinity, no negative zero, one NaN 0x80);
// gfx950 and gfx12 have those of the OCP standard. One parametrised encoder and decoder for all.
#pragma once

#include <bit>
#include <cstdint>

#include "soft/exec/ops/ops.h"
#include "soft/exec/wave.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

enum class Fp8 : std::uint8_t { kE4M3Fnuz, kE5M2Fnuz, kE4M3, kE5M2 };

// The format that "fp8" (bf8: "bf8") in a mnemonic means on a target.
constexpr Fp8 fp8_format(Isa isa) {
  return isa == Isa::kGfx942 ? Fp8::kE4M3Fnuz : Fp8::kE4M3;
}
constexpr Fp8 bf8_format(Isa isa) {
  return isa == Isa::kGfx942 ? Fp8::kE5M2Fnuz : Fp8::kE5M2;
}

struct Fp8Layout {
  std::uint32_t mantissa;  // bits
  std::uint32_t bias;      // of the exponent
  std::uint32_t largest;   // code of the largest finite number
  std::uint32_t overflow;  // code of what lies beyond: infinity where there is one, else NaN
  std::uint32_t nan;       // code
  bool fnuz;
};
constexpr Fp8Layout layout_of(Fp8 format) {
  switch (format) {
    case Fp8::kE4M3Fnuz:
      return {3, 8, 0x7f, 0x80, 0x80, true};
    case Fp8::kE5M2Fnuz:
      return {2, 16, 0x7f, 0x80, 0x80, true};
    case Fp8::kE4M3:
      return {3, 7, 0x7e, 0x7f, 0x7f, false};
    case Fp8::kE5M2:
      break;
  }
  return {2, 15, 0x7b, 0x7c, 0x7f, false};
}

// Exact: every code is a float. With a constant layout this vectorises.
inline float fp8_to_f32(std::uint32_t code, const Fp8Layout& f) {
  const std::uint32_t magnitude = code & 0x7fU;
  const std::uint32_t sign = (code & 0x80U) << 24;
  const std::uint32_t normal = (magnitude << (23U - f.mantissa)) + ((127U - f.bias) << 23);
  const auto unit = std::bit_cast<float>((128U - f.bias - f.mantissa) << 23);
  const float denormal = static_cast<float>(static_cast<std::int32_t>(magnitude)) * unit;
  const std::uint32_t number =
      magnitude < (1U << f.mantissa) ? std::bit_cast<std::uint32_t>(denormal) : normal;
  const bool nan = f.fnuz ? (code & 0xffU) == 0x80U : magnitude > f.overflow - (f.mantissa == 3);
  const bool infinite = !f.fnuz && f.mantissa == 2 && magnitude == f.overflow;
  const std::uint32_t special = infinite ? 0x7f800000U : 0x7fc00000U;
  return std::bit_cast<float>((nan || infinite ? special : number) | (f.fnuz && nan ? 0U : sign));
}
inline float fp8_to_f32(std::uint32_t code, Fp8 format) {
  return fp8_to_f32(code, layout_of(format));
}

// What to do with the bits that do not fit: to nearest even, or (stochastic) add random bits below
// the last place and truncate. `saturate` is MODE.FP16_OVFL: too large becomes the largest number;
// infinities are unchanged.
inline std::uint32_t f32_to_fp8(float value, const Fp8Layout& f, bool saturate,
                                bool stochastic = false, std::uint32_t random = 0) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 24) & 0x80U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const std::uint32_t field = magnitude >> 23;
  const std::uint32_t lowest = 128U - f.bias;  // field of the smallest normal number
  const std::uint32_t below = field < lowest ? lowest - field : 0U;
  const std::uint32_t shift = 23U - f.mantissa + (below > 5U ? 5U : below);
  const std::uint32_t significand = (magnitude & 0x7fffffU) | (field != 0 ? 0x800000U : 0U);
  // Far below the smallest denormal only a sticky bit is left.
  const std::uint32_t scaled = below > 5U ? (significand != 0 ? 1U : 0U) : significand;
  // To nearest: half a unit, less a bit when the unit before it is even.
  const std::uint32_t half = (1U << (shift - 1U)) - 1U + ((scaled >> shift) & 1U);
  const std::uint32_t extra = stochastic ? random >> (32U - shift) : half;
  const std::uint32_t base = below != 0 ? 0U : (field - lowest) << f.mantissa;
  const std::uint32_t code = base + ((scaled + extra) >> shift);
  const bool too_large = (field >= lowest + 32U) | (code > f.largest);
  const bool special = magnitude >= 0x7f800000U;
  const std::uint32_t beyond = (saturate & !special) ? f.largest : f.overflow;
  const std::uint32_t finite = too_large ? beyond : code;
  const std::uint32_t result = magnitude > 0x7f800000U ? f.nan : finite;
  const bool unsigned_code = f.fnuz & ((result == 0) | (result == 0x80U));
  return unsigned_code ? result : result | sign;
}
inline std::uint32_t f32_to_fp8(float value, Fp8 format, bool saturate) {
  return f32_to_fp8(value, layout_of(format), saturate);
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
