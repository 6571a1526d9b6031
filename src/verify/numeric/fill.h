// SPDX-License-Identifier: MIT
// Inputs that are the same on every machine: element i depends only on i and the seed (and, in a
// permutation, on the number of elements). Only operations that IEEE 754 defines to the last bit
// are used, and no math library functions.
#pragma once

#include <string>

#include "base/error.h"
#include "verify/numeric/values.h"

namespace hipwright::verify {

// "uniform(-1, 1)", "normal(0, 1)": mean and standard deviation,
// "integers(0, 100)": 0 to 99, "arange", "arange(5, 2)": 5, 7, 9 and so on (integers wrap around),
// "constant(3)", "zeros", "ones", "permutation": of 0 to n - 1,
// "edges" (zeros of both signs, denormals, the largest, infinities and NaNs among normal values;
// of integers the least and the greatest).
struct Distribution {
  enum class Kind { kUniform, kNormal, kIntegers, kArange, kConstant, kPermutation, kEdges };
  Kind kind = Kind::kUniform;
  double a = -1, b = 1;
};
Result<Distribution> parse_distribution(std::string_view text);
std::string to_string(const Distribution& distribution);  // in the form that is parsed

// Values are rounded to the type as by store(). Equal seeds give equal values, so every argument of
// a kernel needs its own.
Values filled(DataType type, Shape shape, const Distribution& distribution, std::uint64_t seed);

}  // namespace hipwright::verify
