// SPDX-License-Identifier: MIT
// Formats of texels: what the channels are made of, and the numbers that descriptors give them.
// gfx9 has a number for the layout and one for the interpretation, later targets one for both. From
// the tables of data formats in AMD's ISA manuals (Vega, RDNA2, RDNA3, RDNA4).
#pragma once

#include <cstdint>
#include <optional>

#include "soft/exec/isa.h"

namespace hipwright::soft {

enum class TexelNumber : std::uint8_t {
  kUnorm,    // 0 to 1
  kSnorm,    // -1 to 1
  kUscaled,  // integers that become floats
  kSscaled,
  kUint,
  kSint,
  kFloat,
  kSrgb,  // as kUnorm, the first three channels on sRGB's curve
};

// Channels of one width that follow each other.
struct TexelFormat {
  std::uint8_t channels = 0;  // 1 to 4
  std::uint8_t bits = 0;      // of a channel: 8, 16 or 32
  TexelNumber number = TexelNumber::kUnorm;
  unsigned bytes() const { return channels * bits / 8U; }
  bool is_integer() const { return number == TexelNumber::kUint || number == TexelNumber::kSint; }
  bool operator==(const TexelFormat&) const = default;
};

// The number that a descriptor of the target gives the format. gfx9: the layout, and the
// interpretation from bit 8 on. Nothing: the target has no such format, or none that is known here.
std::optional<std::uint32_t> format_number(TexelFormat format, Isa isa);
std::optional<TexelFormat> format_of_number(std::uint32_t number, Isa isa);

}  // namespace hipwright::soft
