// SPDX-License-Identifier: MIT
// How undefined bytes travel through operations that look at values bit by bit or byte by byte.
// All others make their whole result undefined.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "soft/check/shadow.h"

namespace hipwright::soft {

enum class Rule : std::uint8_t {
  kWhole,  // any undefined byte of a source: the whole result
  kMove,
  kSelect,  // cndmask
  kAnd,
  kOr,
  kXor,
  kNot,
  kAndOr,
  kOr3,
  kXor3,
  kShiftLeft,  // (count, value)
  kShiftRight,
  kShiftRightSigned,
  kShiftLeftOr,   // (value, count, or)
  kShiftLeftAdd,  // (value, count, addend)
  kAddShiftLeft,
  kSum,      // carries go up: + - * on integers
  kSum24,    // the highest byte of each source does not count
  kExtract,  // bfe_u32
  kExtractSigned,
  kInsert,   // bfi
  kPermute,  // v_perm_b32
  kAlignByte,
  kAlignBit,
  kPackHalves,
  kByte0,  // cvt_f32_ubyte0 …
  kByte1,
  kByte2,
  kByte3,
  // 64-bit results: see apply_wide().
  kWideSum,
  kWideShiftLeft,  // (count, value)
  kWideShiftRight,
};

Rule rule_of(std::string_view op);

// A source dword: its undefined bytes, and its value where all lanes have the same defined one.
struct SourceDword {
  UndefinedBytes undefined;
  std::optional<std::uint32_t> value;
};

// The result of a 32-bit operation. `s` are its sources in the text's order; `mask` is the value
// of kSelect's lane mask and `mask_undefined` its undefined bits.
UndefinedBytes apply(Rule rule, const SourceDword* s, unsigned count, LaneMask mask = 0,
                     LaneMask mask_undefined = 0);

// The same for results of two dwords. A source has its low dword first; those of one dword have
// nothing in the second.
std::array<UndefinedBytes, 2> apply_wide(Rule rule, const std::array<SourceDword, 2>* s,
                                         unsigned count);

}  // namespace hipwright::soft
