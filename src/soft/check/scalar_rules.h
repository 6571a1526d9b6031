// SPDX-License-Identifier: MIT
// How undefined bits travel through scalar operations. Lane masks live in scalar registers, and
// compilers leave the bits of inactive lanes undefined: bitwise operations must be exact.
#pragma once

#include <cstdint>
#include <string_view>

namespace hipwright::soft {

enum class ScalarRule : std::uint8_t {
  kWhole,
  kMove,
  kNot,
  kAnd,
  kAndNot,  // a & ~b
  kNotAnd,  // ~a & b
  kOr,
  kOrNot,
  kNotOr,
  kXor,  // and xnor
  kNand,
  kNor,
  kSum,
  kShiftLeft,
  kShiftRight,
  kShiftRightSigned,
  kExtract,
  kSelect,  // by SCC
  kEqual,   // compares for equality: known as soon as defined bits differ
  kPackLowLow,
  kPackLowHigh,
  kPackHighHigh,
};

struct ScalarFacts {
  ScalarRule rule = ScalarRule::kWhole;
  bool exec = false;              // combines its source with EXEC and writes that
  bool scc_is_zero_test = false;  // SCC tells whether the result is not zero
};

ScalarFacts scalar_facts(std::string_view op);

struct ScalarValue {
  std::uint64_t value = 0;
  std::uint64_t undefined = 0;  // bits
};

// The result's value, taking undefined bits for what they happen to be; 0 where the rule says
// nothing about it.
std::uint64_t value_of(ScalarRule rule, std::uint64_t a, std::uint64_t b, unsigned bits);

// Undefined bits of the result; `bits` is 32 or 64.
std::uint64_t apply(ScalarRule rule, const ScalarValue& a, const ScalarValue& b, unsigned bits);

}  // namespace hipwright::soft
