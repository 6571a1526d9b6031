// SPDX-License-Identifier: MIT
// Of a claim about a tensor: one number of it.
#pragma once

#include <array>
#include <string_view>

#include "base/error.h"
#include "verify/numeric/values.h"

namespace hipwright::verify {

constexpr std::array<std::string_view, 8> kReductions = {"sum",   "mean", "min",  "max",
                                                         "first", "last", "nans", "infinities"};

// An error for another function, and for the first or last of nothing.
Result<double> reduced(std::string_view function, const Values& values);

}  // namespace hipwright::verify
