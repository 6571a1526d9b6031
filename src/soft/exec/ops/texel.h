// SPDX-License-Identifier: MIT
// Texels between memory and registers: what formatted loads, stores and samples convert.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "soft/exec/image_descriptor.h"
#include "soft/exec/ops/half.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

// Four channels or components: floats as bits, or integers.
using Texel = std::array<std::uint32_t, 4>;

inline std::uint32_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
inline float float_of(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}

// The curve of IEC 61966-2-1.
inline float linear_of_srgb(float value) {
  return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
}

inline std::uint32_t decode_channel(std::uint32_t raw, unsigned bits, TexelNumber number,
                                    bool color) {
  const std::uint32_t most = bits == 32 ? ~0U : (1U << bits) - 1;
  const std::int32_t value = static_cast<std::int32_t>(raw << (32 - bits)) >> (32 - bits);
  switch (number) {
    case TexelNumber::kUnorm:
      return bits_of(static_cast<float>(raw) / static_cast<float>(most));
    case TexelNumber::kSnorm:
      return bits_of(std::max(static_cast<float>(value) / static_cast<float>(most >> 1), -1.0F));
    case TexelNumber::kUscaled:
      return bits_of(static_cast<float>(raw));
    case TexelNumber::kSscaled:
      return bits_of(static_cast<float>(value));
    case TexelNumber::kUint:
      return raw;
    case TexelNumber::kSint:
      return static_cast<std::uint32_t>(value);
    case TexelNumber::kFloat:
      return bits == 16 ? bits_of(f16_to_f32(raw)) : raw;
    case TexelNumber::kSrgb:
      break;
  }
  const float stored = static_cast<float>(raw) / static_cast<float>(most);
  return bits_of(color ? linear_of_srgb(stored) : stored);
}

// Rounds to the nearest, ties to even; NaN gives 0.
inline std::uint32_t encode_channel(std::uint32_t value, unsigned bits, TexelNumber number) {
  const std::uint32_t most = bits == 32 ? ~0U : (1U << bits) - 1;
  const float real = std::isnan(float_of(value)) ? 0.0F : float_of(value);
  const auto scaled = [&](double least, double largest, double factor) {
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(
               std::nearbyint(std::clamp<double>(real, least, largest) * factor))) &
           most;
  };
  switch (number) {
    case TexelNumber::kUnorm:
    case TexelNumber::kSrgb:
      return scaled(0, 1, most);
    case TexelNumber::kSnorm:
      return scaled(-1, 1, most >> 1);
    case TexelNumber::kUscaled:
      return scaled(0, most, 1);
    case TexelNumber::kSscaled:
      return scaled(-1.0 - (most >> 1), most >> 1, 1);
    case TexelNumber::kFloat:
      return bits == 16 ? f32_to_f16_nearest(float_of(value)) : value;
    case TexelNumber::kUint:
    case TexelNumber::kSint:
      break;
  }
  return value & most;
}

// Channels that the format lacks are 0.
inline Texel read_texel(const TexelFormat& format, const std::uint8_t* from) {
  Texel texel{};
  const unsigned bytes = format.bits / 8U;
  for (unsigned i = 0; i < format.channels; ++i) {
    std::uint32_t raw = 0;
    std::memcpy(&raw, from + i * bytes, bytes);
    texel[i] = decode_channel(raw, format.bits, format.number, i < 3);
  }
  return texel;
}
inline void write_texel(const TexelFormat& format, const Texel& texel, std::uint8_t* to) {
  const unsigned bytes = format.bits / 8U;
  for (unsigned i = 0; i < format.channels; ++i) {
    const std::uint32_t raw = encode_channel(texel[i], format.bits, format.number);
    std::memcpy(to + i * bytes, &raw, bytes);
  }
}

// From channels to components and back. A 1 is an integer where channels are.
inline Texel selected(const Texel& channels, const std::array<std::uint8_t, 4>& select,
                      bool integer) {
  Texel out{};
  for (unsigned i = 0; i < 4; ++i) {
    if (select[i] >= 4) out[i] = channels[select[i] - 4U];
    if (select[i] == 1) out[i] = integer ? 1 : bits_of(1.0F);
  }
  return out;
}
inline Texel unselected(const Texel& components, const std::array<std::uint8_t, 4>& select) {
  Texel out{};
  for (unsigned i = 4; i-- > 0;)
    if (select[i] >= 4) out[select[i] - 4U] = components[i];
  return out;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
