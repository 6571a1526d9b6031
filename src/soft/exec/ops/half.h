// SPDX-License-Identifier: MIT
// 16-bit floats as bit patterns in the low half of a u32. Everything here is branch-free integer
// and float arithmetic, so that loops over lanes become SIMD code at every level.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "soft/exec/ops/ops.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

constexpr std::uint32_t kQuietF16 = 0x7e00, kInfF16 = 0x7c00;
constexpr std::uint32_t kQuietF32 = 0x7fc00000, kInfF32 = 0x7f800000;

constexpr bool is_nan_f16(std::uint32_t bits) {
  return (bits & 0x7fffU) > kInfF16;
}
constexpr bool is_nan_bf16(std::uint32_t bits) {
  return (bits & 0x7fffU) > 0x7f80U;
}

// Exact. NaNs keep sign and payload (signalling ones stay signalling). Hosts are slow when float
// operations meet denormals, so those of f16 go through integers, here and below.
inline float f16_to_f32(std::uint32_t bits) {
  const std::uint32_t magnitude = bits & 0x7fffU;
  const std::uint32_t sign = (bits & 0x8000U) << 16;
  constexpr std::uint32_t rebias = 112U << 23;
  const std::uint32_t normal = (magnitude << 13) + rebias;
  const float denormal = static_cast<float>(static_cast<std::int32_t>(magnitude)) * 0x1p-24F;
  const std::uint32_t finite = magnitude < 0x400U ? std::bit_cast<std::uint32_t>(denormal) : normal;
  return std::bit_cast<float>((magnitude >= kInfF16 ? normal + rebias : finite) | sign);
}

inline float bf16_to_f32(std::uint32_t bits) {
  return std::bit_cast<float>(bits << 16);
}

// Rounds in the host's current mode, once; overflow goes to infinity or the largest number as that
// mode says. NaNs become quiet and keep the upper payload.
inline std::uint32_t f32_to_f16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits & 0x80000000U;
  const std::uint32_t magnitude = bits ^ sign;
  // Adding 1.5 * 2^(e+13), with the value's sign, leaves eleven significant bits; e stops at the
  // smallest normal f16.
  const std::uint32_t exponent = magnitude & 0x7f800000U;
  const std::uint32_t low = 113U << 23;   // 2^-14
  const std::uint32_t high = 143U << 23;  // 2^16: everything from there on overflows
  const std::uint32_t held = exponent < low ? low : (exponent > high ? high : exponent);
  const auto magic = std::bit_cast<float>((held + (13U << 23)) | 0x400000U | sign);
  const auto bounded = std::bit_cast<float>(
      (magnitude > (high | 0x400000U) ? (high | 0x400000U) : magnitude) | sign);
  const float rounded = (bounded + magic) - magic;
  // Multiplying by 2^112 overflows from 65536 on, in the direction of the mode.
  const float kept = rounded * 0x1p112F * 0x1p-112F;
  const std::uint32_t number = std::bit_cast<std::uint32_t>(kept) & 0x7fffffffU;
  const auto denormal = static_cast<std::uint32_t>(
      static_cast<std::int32_t>(std::bit_cast<float>(number < low ? number : 0U) * 0x1p24F));
  const std::uint32_t encoded = number < low ? denormal : (number - (112U << 23)) >> 13;
  const bool infinite = number == kInfF32 || magnitude == kInfF32;
  const std::uint32_t finite = infinite ? kInfF16 : encoded;
  const std::uint32_t nan = kQuietF16 | ((magnitude >> 13) & 0x3ffU);
  return (magnitude > kInfF32 ? nan : finite) | (sign >> 16);
}

// The same with a rounding that the instruction prescribes, whatever the mode.
inline std::uint32_t f32_to_f16_nearest(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const std::uint32_t field = magnitude >> 23;
  const std::uint32_t below = field < 113U ? 113U - field : 0U;  // exponents below 2^-14
  const std::uint32_t shift = 13U + (below > 18U ? 18U : below);
  const std::uint32_t significand = (magnitude & 0x7fffffU) | (field != 0 ? 0x800000U : 0U);
  // Half a unit, less a bit when the unit before it is even: ties go to even.
  const std::uint32_t half = (1U << (shift - 1U)) - 1U + ((significand >> shift) & 1U);
  const std::uint32_t base = below != 0 ? 0U : (field - 113U) << 10;
  const std::uint32_t finite = base + ((significand + half) >> shift);
  const std::uint32_t nan = kQuietF16 | ((magnitude >> 13) & 0x3ffU);
  const bool infinite = (magnitude >= (143U << 23)) | (finite > kInfF16);
  const std::uint32_t result = infinite ? kInfF16 : finite;
  return (magnitude > kInfF32 ? nan : result) | sign;
}
inline std::uint32_t f32_to_f16_toward_zero(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const std::uint32_t field = magnitude >> 23;
  const std::uint32_t below = field < 113U ? 113U - field : 0U;
  const std::uint32_t shift = 13U + (below > 18U ? 18U : below);
  const std::uint32_t significand = (magnitude & 0x7fffffU) | (field != 0 ? 0x800000U : 0U);
  const std::uint32_t base = below != 0 ? 0U : (field - 113U) << 10;
  const std::uint32_t finite = base + (significand >> shift);
  const std::uint32_t nan = kQuietF16 | ((magnitude >> 13) & 0x3ffU);
  const std::uint32_t large = 0x7bffU + (magnitude == kInfF32 ? 1U : 0U);
  const std::uint32_t result = magnitude >= (143U << 23) ? large : finite;
  return (magnitude > kInfF32 ? nan : result) | sign;
}
inline std::uint32_t f32_to_bf16_nearest(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
  const std::uint32_t nan = (bits >> 16) | 0x40U;
  return (bits & 0x7fffffffU) > kInfF32 ? nan : rounded;
}

// 32 lanes (or N) at once: the half of each dword that starts at bit `Shift`, and back. The
// hardware's conversions are several times faster than the arithmetic above. NaNs become quiet.
template <unsigned Shift, std::size_t N = 32>
inline void decode_halves(const std::uint32_t* from, float* to) {
#ifdef __AVX2__
  for (std::size_t i = 0; i < N; i += 8) {
    const __m256i dwords = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i));
    const __m256i halves =
        Shift ? _mm256_srli_epi32(dwords, 16) : _mm256_and_si256(dwords, _mm256_set1_epi32(0xffff));
    const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(halves, halves), 0x08);
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm256_castsi256_si128(packed)));
  }
#else
  for (std::size_t i = 0; i < N; ++i) to[i] = f16_to_f32((from[i] >> Shift) & 0xffffU);
#endif
}
inline void encode_halves(const float* from, std::uint32_t* to) {
#ifdef __AVX2__
  for (std::size_t i = 0; i < 32; i += 8) {
    const __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_CUR_DIRECTION);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), _mm256_cvtepu16_epi32(halves));
  }
#else
  for (std::size_t i = 0; i < 32; ++i) to[i] = f32_to_f16(from[i]);
#endif
}

// a + b (in f32) prepared for a second, coarser rounding: the last bit is made sticky, so that
// rounding the result to 22 bits or fewer is as good as rounding the exact sum. Any host mode.
inline float add_sticky(float a, float b) {
  const std::uint32_t abits = std::bit_cast<std::uint32_t>(a) & 0x7fffffffU;
  const std::uint32_t bbits = std::bit_cast<std::uint32_t>(b) & 0x7fffffffU;
  const float large = abits >= bbits ? a : b;
  const float small = abits >= bbits ? b : a;
  const float sum = a + b;
  const float used = sum - large;  // exact: the two are neighbours
  const auto bits = std::bit_cast<std::uint32_t>(sum);
  const bool away = (used < small) == ((bits >> 31) == 0);  // the exact sum is larger in magnitude
  const std::uint32_t step = away ? 1U : ~0U;
  const bool inexact = used != small && (bits & 0x7fffffffU) < kInfF32 && (bits & 1U) == 0;
  return std::bit_cast<float>(inexact ? bits + step : bits);
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
