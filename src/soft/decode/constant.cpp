// SPDX-License-Identifier: MIT
// Constants of instructions: the same text means other bits for other operands.
#include <bit>
#include <cmath>
#include <cstring>

#include "soft/decode/inst_builder.h"

namespace hipwright::soft {

namespace {

constexpr std::uint64_t kLow16 = 0xffff, kLow32 = 0xffffffff;

struct InlineFloat {
  double value;
  std::uint16_t f16, bf16;
};
// 1/(2π) is the only one that rounds.
constexpr InlineFloat kInlineFloats[] = {
    {0.0, 0x0000, 0x0000},       {0.5, 0x3800, 0x3f00}, {1.0, 0x3c00, 0x3f80},
    {2.0, 0x4000, 0x4000},       {4.0, 0x4400, 0x4080}, {0.15915494309189532, 0x3118, 0x3e22},
    {0.15915494, 0x3118, 0x3e22}};

std::uint16_t half_bits(double value, bool bfloat) {
  for (const InlineFloat& known : kInlineFloats)
    if (known.value == std::abs(value)) {
      const unsigned sign = std::signbit(value) ? 0x8000U : 0U;
      return static_cast<std::uint16_t>((bfloat ? known.bf16 : known.f16) | sign);
    }
  return 0;
}

std::uint64_t float_bits(double value, Type type) {
  switch (type) {
    case Type::kF16:
    case Type::kPkF16:
      return half_bits(value, false);
    case Type::kBF16:
    case Type::kPkBF16:
      return half_bits(value, true);
    case Type::kB64:
    case Type::kI64:
    case Type::kF64:
    case Type::kMask:
      return std::bit_cast<std::uint64_t>(
          std::abs(value) == 0.15915494 ? std::copysign(0.15915494309189532, value) : value);
    default:
      break;
  }
  // 16-bit integers see the low half of the 32-bit float.
  const std::uint64_t bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return type == Type::kB16 ? bits & kLow16 : bits;
}

std::uint64_t integer_bits(std::int64_t value, Type type) {
  const auto bits = static_cast<std::uint64_t>(value);
  switch (type) {
    case Type::kB16:
    case Type::kF16:
    case Type::kBF16:
      return bits & kLow16;
    case Type::kB64:
    case Type::kI64:
    case Type::kF64:
    case Type::kMask:
      return bits;
    default:
      return bits & kLow32;
  }
}

std::uint64_t literal_bits(std::int64_t value, Type type, bool wide) {
  const auto bits = static_cast<std::uint64_t>(value);
  if (wide || bits > kLow32) return integer_bits(value, type);
  if (type == Type::kF64) return bits << 32;
  if (type == Type::kI64)
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(bits)});
  return integer_bits(value, type);
}

}  // namespace

std::uint64_t expand_constant(const TextOperand& text, Type type, Type element) {
  if (type == Type::kWide) type = element;
  switch (text.kind) {
    case TextOperand::Kind::kFloat:
      return float_bits(text.real, type);
    case TextOperand::Kind::kLiteral:
      return literal_bits(text.integer, type, text.wide);
    default:
      return integer_bits(text.integer, type);
  }
}

}  // namespace hipwright::soft
