// SPDX-License-Identifier: MIT
#include "soft/check/scalar_rules.h"

namespace hipwright::soft {

namespace {

using u64 = std::uint64_t;

// An undefined bit of a & b is known to be 0 where the other side is.
u64 undefined_and(const ScalarValue& a, const ScalarValue& b) {
  const u64 may_be_a = a.value | a.undefined, may_be_b = b.value | b.undefined;
  return (a.undefined | b.undefined) & may_be_a & may_be_b;
}
ScalarValue inverted(const ScalarValue& a) {
  return {.value = ~a.value, .undefined = a.undefined};
}
u64 undefined_or(const ScalarValue& a, const ScalarValue& b) {
  return undefined_and(inverted(a), inverted(b));
}
u64 from_lowest(u64 undefined) {
  return undefined | (0 - undefined);
}

}  // namespace

u64 value_of(ScalarRule rule, u64 a, u64 b, unsigned bits) {
  const u64 all = bits == 64 ? ~u64{0} : 0xffffffffU;
  switch (rule) {
    case ScalarRule::kNot:
      return ~a & all;
    case ScalarRule::kAnd:
      return a & b & all;
    case ScalarRule::kAndNot:
      return a & ~b & all;
    case ScalarRule::kNotAnd:
      return ~a & b & all;
    case ScalarRule::kOr:
      return (a | b) & all;
    case ScalarRule::kOrNot:
      return (a | ~b) & all;
    case ScalarRule::kNotOr:
      return (~a | b) & all;
    case ScalarRule::kNand:
      return ~(a & b) & all;
    case ScalarRule::kNor:
      return ~(a | b) & all;
    case ScalarRule::kShiftLeft:
      return (a << (b & (bits - 1))) & all;
    case ScalarRule::kShiftRight:
      return (a & all) >> (b & (bits - 1));
    default:
      return 0;
  }
}

u64 apply(ScalarRule rule, const ScalarValue& a, const ScalarValue& b, unsigned bits) {
  const u64 all = bits == 64 ? ~u64{0} : 0xffffffffU;
  const u64 any = a.undefined | b.undefined;
  const auto count = static_cast<unsigned>(b.value) & (bits - 1);
  const bool known_count = b.undefined == 0;
  switch (rule) {
    case ScalarRule::kMove:
    case ScalarRule::kNot:
      return a.undefined & all;
    case ScalarRule::kAnd:
    case ScalarRule::kNand:
      return undefined_and(a, b) & all;
    case ScalarRule::kAndNot:
      return undefined_and(a, inverted(b)) & all;
    case ScalarRule::kNotAnd:
      return undefined_and(inverted(a), b) & all;
    case ScalarRule::kOr:
    case ScalarRule::kNor:
      return undefined_or(a, b) & all;
    case ScalarRule::kOrNot:
      return undefined_or(a, inverted(b)) & all;
    case ScalarRule::kNotOr:
      return undefined_or(inverted(a), b) & all;
    case ScalarRule::kXor:
    case ScalarRule::kSelect:
      return any & all;
    case ScalarRule::kSum:
      return from_lowest(any) & all;
    case ScalarRule::kShiftLeft:
      if (known_count) return (a.undefined << count) & all;
      break;
    case ScalarRule::kShiftRight:
      if (known_count) return (a.undefined & all) >> count;
      break;
    case ScalarRule::kShiftRightSigned:
      if (known_count) {
        const bool sign = (a.undefined >> (bits - 1)) & 1U;
        return (((a.undefined & all) >> count) | (sign ? ~(all >> count) : 0)) & all;
      }
      break;
    case ScalarRule::kExtract:
      if (known_count) {
        const unsigned width = static_cast<unsigned>(b.value >> 16) & 0x7fU;
        const u64 field = width >= 64 ? ~u64{0} : (u64{1} << width) - 1;
        const u64 part = ((a.undefined & all) >> count) & field;
        return part == 0 ? 0 : all;  // sign extension may spread it
      }
      break;
    case ScalarRule::kEqual:
      return (a.value ^ b.value) & ~any & all ? 0 : (any ? all : 0);
    case ScalarRule::kPackLowLow:
      return (a.undefined & 0xffffU) | ((b.undefined & 0xffffU) << 16);
    case ScalarRule::kPackLowHigh:
      return (a.undefined & 0xffffU) | (b.undefined & 0xffff0000U);
    case ScalarRule::kPackHighHigh:
      return ((a.undefined >> 16) & 0xffffU) | (b.undefined & 0xffff0000U);
    case ScalarRule::kWhole:
      break;
  }
  return any ? all : 0;
}

}  // namespace hipwright::soft
