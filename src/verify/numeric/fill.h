// SPDX-License-Identifier: MIT
// Inputs that are the same on every machine: element i of a seed is a function of both alone.
#pragma once

#include <string>

#include "base/error.h"
#include "verify/numeric/values.h"

namespace hipwright::verify {

// "uniform(-1, 1)", "normal(0, 1)", "integers(0, 100)", "arange", "constant(3)", "permutation",
// "edges" (zeros of both signs, denormals, the largest, infinities and NaNs among normal values).
struct Distribution {
  enum class Kind { kUniform, kNormal, kIntegers, kArange, kConstant, kPermutation, kEdges };
  Kind kind = Kind::kUniform;
  double a = -1, b = 1;
};
Result<Distribution> parse_distribution(std::string_view text);

Values filled(DataType type, Shape shape, const Distribution& distribution, std::uint64_t seed);

}  // namespace hipwright::verify
