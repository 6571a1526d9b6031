// SPDX-License-Identifier: MIT
#include "soft/check/vector_rules.h"

#include <algorithm>
#include <utility>

namespace hipwright::soft {

namespace {

using Bytes = UndefinedBytes;

unsigned byte_of(std::uint32_t value, unsigned i) {
  return (value >> (8 * i)) & 0xffU;
}

// A byte of a & b is known when one of them is 0 there; `full`: of a | b, when one is 255.
Bytes masked(const SourceDword& a, const SourceDword& b, unsigned known) {
  Bytes result = a.undefined | b.undefined;
  for (unsigned i = 0; i < 4; ++i)
    if ((a.value && byte_of(*a.value, i) == known) || (b.value && byte_of(*b.value, i) == known))
      result.byte[i] = 0;
  return result;
}

Bytes shifted_left(const Bytes& value, unsigned count) {
  Bytes result;
  const unsigned whole = count / 8, part = count % 8;
  for (unsigned i = whole; i < 4; ++i) {
    result.byte[i] = value.byte[i - whole];
    if (part != 0 && i > whole) result.byte[i] |= value.byte[i - whole - 1];
  }
  return result;
}
Bytes shifted_right(const Bytes& value, unsigned count, bool with_sign) {
  Bytes result;
  const unsigned whole = count / 8, part = count % 8;
  for (unsigned i = 0; i < 4; ++i) {
    if (i + whole < 4) result.byte[i] = value.byte[i + whole];
    if (part != 0 && i + whole + 1 < 4) result.byte[i] |= value.byte[i + whole + 1];
    if (with_sign && (i + whole >= 4 || (part != 0 && i + whole + 1 >= 4)))
      result.byte[i] |= value.byte[3];
  }
  return result;
}
// Carries: an undefined byte makes those above it undefined.
Bytes carried(Bytes value) {
  for (unsigned i = 1; i < 4; ++i) value.byte[i] |= value.byte[i - 1];
  return value;
}
Bytes without_top(Bytes value) {
  value.byte[3] = 0;
  return value;
}

Bytes whole(const SourceDword* s, unsigned count) {
  LaneMask lanes = 0;
  for (unsigned i = 0; i < count; ++i) lanes |= s[i].undefined.any();
  return Bytes::all(lanes);
}

Bytes extracted(const SourceDword* s, bool with_sign) {
  if (!s[1].value || !s[2].value) return whole(s, 3);
  const unsigned width = *s[2].value & 31U;
  Bytes result = shifted_right(s[0].undefined, *s[1].value & 31U, with_sign);
  for (unsigned i = 0; i < 4; ++i)
    if (i * 8 >= width) result.byte[i] = with_sign && width ? result.byte[(width - 1) / 8] : 0;
  return result;
}

Bytes permuted(const SourceDword* s) {
  if (!s[2].value) return whole(s, 3);
  Bytes result;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned from = byte_of(*s[2].value, i);
    if (from < 8)
      result.byte[i] = (from < 4 ? s[1] : s[0]).undefined.byte[from % 4];
    else if (from < 12)  // the sign of a half
      result.byte[i] = (from < 10 ? s[1] : s[0]).undefined.byte[from % 2 ? 3 : 1];
  }
  return result;
}

// The low dword of {s0, s1} >> bits.
Bytes aligned(const SourceDword* s, unsigned bits) {
  return shifted_right(s[1].undefined, bits, false) |
         (bits == 0 ? Bytes{} : shifted_left(s[0].undefined, 32 - bits));
}

Bytes inserted(const SourceDword* s) {
  if (!s[0].value) return whole(s, 3);
  Bytes result;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned mask = byte_of(*s[0].value, i);
    if (mask != 0) result.byte[i] |= s[1].undefined.byte[i];
    if (mask != 0xff) result.byte[i] |= s[2].undefined.byte[i];
  }
  return result;
}

}  // namespace

Bytes apply(VectorRule rule, const SourceDword* s, unsigned count, LaneMask mask,
            LaneMask mask_undefined) {
  const auto constant = [&](unsigned i) { return i < count && s[i].value.has_value(); };
  switch (rule) {
    case VectorRule::kMove:
    case VectorRule::kNot:
      return s[0].undefined;
    case VectorRule::kSelect: {
      Bytes result;
      for (unsigned i = 0; i < 4; ++i)
        result.byte[i] =
            (s[1].undefined.byte[i] & mask) | (s[0].undefined.byte[i] & ~mask) | mask_undefined;
      return result;
    }
    case VectorRule::kAnd:
      return masked(s[0], s[1], 0);
    case VectorRule::kOr:
      return masked(s[0], s[1], 0xff);
    case VectorRule::kXor:
      return s[0].undefined | s[1].undefined;
    case VectorRule::kAndOr:
      return masked(s[0], s[1], 0) | s[2].undefined;
    case VectorRule::kOr3:
    case VectorRule::kXor3:
      return s[0].undefined | s[1].undefined | s[2].undefined;
    case VectorRule::kShiftLeft:
      if (constant(0)) return shifted_left(s[1].undefined, *s[0].value & 31U);
      break;
    case VectorRule::kShiftRight:
    case VectorRule::kShiftRightSigned:
      if (constant(0))
        return shifted_right(s[1].undefined, *s[0].value & 31U,
                             rule == VectorRule::kShiftRightSigned);
      break;
    case VectorRule::kShiftLeftOr:
      if (constant(1)) return shifted_left(s[0].undefined, *s[1].value & 31U) | s[2].undefined;
      break;
    case VectorRule::kShiftLeftAdd:
      if (constant(1))
        return carried(shifted_left(s[0].undefined, *s[1].value & 31U) | s[2].undefined);
      break;
    case VectorRule::kAddShiftLeft:
      if (constant(2))
        return shifted_left(carried(s[0].undefined | s[1].undefined), *s[2].value & 31U);
      break;
    case VectorRule::kSum: {
      Bytes result;
      for (unsigned i = 0; i < count; ++i) result = result | s[i].undefined;
      return carried(result);
    }
    case VectorRule::kSum24: {
      Bytes result;
      for (unsigned i = 0; i < count; ++i)
        result = result | (i < 2 ? without_top(s[i].undefined) : s[i].undefined);
      return carried(result);
    }
    case VectorRule::kExtract:
    case VectorRule::kExtractSigned:
      return extracted(s, rule == VectorRule::kExtractSigned);
    case VectorRule::kInsert:
      return inserted(s);
    case VectorRule::kPermute:
      return permuted(s);
    case VectorRule::kAlignByte:
      if (constant(2)) return aligned(s, (*s[2].value & 3U) * 8);
      break;
    case VectorRule::kAlignBit:
      if (constant(2)) return aligned(s, *s[2].value & 31U);
      break;
    case VectorRule::kPackHalves: {
      const LaneMask low = s[0].undefined.byte[0] | s[0].undefined.byte[1];
      const LaneMask high = s[1].undefined.byte[0] | s[1].undefined.byte[1];
      return {{low, low, high, high}};
    }
    case VectorRule::kByte0:
    case VectorRule::kByte1:
    case VectorRule::kByte2:
    case VectorRule::kByte3:
      return Bytes::all(s[0].undefined.byte[static_cast<unsigned>(rule) -
                                            static_cast<unsigned>(VectorRule::kByte0)]);
    case VectorRule::kWideSum:
    case VectorRule::kWideShiftLeft:
    case VectorRule::kWideShiftRight:
    case VectorRule::kWhole:
      break;
  }
  return whole(s, count);
}

std::array<Bytes, 2> apply_wide(VectorRule rule, const std::array<SourceDword, 2>* s,
                                unsigned count) {
  std::array<LaneMask, 8> bytes{};
  const auto byte = [](const std::array<SourceDword, 2>& source, unsigned i) {
    return source[i / 4].undefined.byte[i % 4];
  };
  const bool shift = rule == VectorRule::kWideShiftLeft || rule == VectorRule::kWideShiftRight;
  if (shift && s[0][0].value) {
    const unsigned distance = *s[0][0].value & 63U, whole_bytes = distance / 8;
    for (unsigned i = 0; i < 8; ++i) {
      // The two bytes that this one is made of.
      for (const unsigned extra : {0U, distance % 8 ? 1U : 0U}) {
        const unsigned away = whole_bytes + extra;
        if (rule == VectorRule::kWideShiftLeft ? i >= away : i + away < 8)
          bytes[i] |= byte(s[1], rule == VectorRule::kWideShiftLeft ? i - away : i + away);
      }
    }
  } else {
    LaneMask below = 0, any = 0;
    for (unsigned i = 0; i < 8; ++i) {
      for (unsigned k = 0; k < count; ++k) below |= byte(s[k], i);
      bytes[i] = below;
      any = below;
    }
    if (rule != VectorRule::kWideSum) bytes.fill(any);
  }
  return {Bytes{{bytes[0], bytes[1], bytes[2], bytes[3]}},
          Bytes{{bytes[4], bytes[5], bytes[6], bytes[7]}}};
}

}  // namespace hipwright::soft
