// SPDX-License-Identifier: MIT
#include "verify/kernel/reduction.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hipwright::verify {

Result<double> reduced(std::string_view function, const Values& values) {
  double sum = 0, nans = 0, infinities = 0;
  double least = std::numeric_limits<double>::infinity(), most = -least;
  const std::size_t count = values.count();
  for (std::size_t i = 0; i < count; ++i) {
    const double value = values.at(i);
    nans += std::isnan(value);
    infinities += std::isinf(value);
    sum += value;
    // NaN propagates.
    least = std::isnan(value) || std::isnan(least) ? std::nan("") : std::min(least, value);
    most = std::isnan(value) || std::isnan(most) ? std::nan("") : std::max(most, value);
  }
  if (function == "sum") return sum;
  if (function == "mean") return sum / static_cast<double>(count);
  if (function == "min") return least;
  if (function == "max") return most;
  if (function == "nans") return nans;
  if (function == "infinities") return infinities;
  if (std::find(kReductions.begin(), kReductions.end(), function) == kReductions.end())
    return fail("cannot compute", std::string(function),
                fmt::format("known tensor functions: {}", fmt::join(kReductions, ", ")));
  if (count == 0) return fail("cannot compute", std::string(function), "the tensor is empty");
  return values.at(function == "first" ? 0 : count - 1);
}

}  // namespace hipwright::verify
