// SPDX-License-Identifier: MIT
// Where a series of results changed its level.
#pragma once

#include <span>
#include <vector>

namespace hipwright::perf {

struct ChangePoint {
  std::size_t at = 0;            // the first result of the new level
  double before = 0, after = 0;  // medians of the levels
  double p = 0;
};

struct ChangeOptions {
  double threshold = 0.03;   // levels closer than this are one
  double p = 0.001;          // of a t-test on the logarithms
  std::size_t shortest = 3;  // results that make a level
};

// Splits the series where two levels differ most, and the parts again, while the difference is
// significant. Values must be positive.
std::vector<ChangePoint> change_points(std::span<const double> values,
                                       const ChangeOptions& options = {});
// Of values that have no noise: every change is one.
std::vector<ChangePoint> exact_changes(std::span<const double> values);

// The two-sided p-value of Student's t with `freedom` degrees of freedom.
double student_p(double t, double freedom);

}  // namespace hipwright::perf
