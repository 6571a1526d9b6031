// SPDX-License-Identifier: MIT
// Reduces a tensor to the one number that a claim is about.
#pragma once

#include <array>
#include <string_view>

#include "base/error.h"
#include "verify/numeric/values.h"

namespace hipwright::verify {

constexpr std::array<std::string_view, 8> kReductions = {"sum",   "mean", "min",  "max",
                                                         "first", "last", "nans", "infinities"};

// An error for an unknown function, and for the first or last element of an empty tensor.
Result<double> reduced(std::string_view function, const Values& values);

}  // namespace hipwright::verify
