// SPDX-License-Identifier: MIT
// How undefined bits travel through scalar operations. Lane masks live in scalar registers, and
// compilers leave the bits of inactive lanes undefined: bitwise operations must be exact.
#pragma once

#include <cstdint>
#include "soft/exec/op_properties.h"

namespace hipwright::soft {

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
