// SPDX-License-Identifier: MIT
// The ratio of two medians: how well it is known, and how much of it is noise.
#pragma once

#include <span>

#include "perf/statistics/samples.h"

namespace hipwright::perf {

// Measurements of two sides. `paired`: round i of both sides was measured back to back, so that
// what the machine did besides is in both.
struct Sides {
  std::span<const Sample> base, head;
  bool paired = false;
};

struct Interval {
  double low = 0, high = 0;
};

// A bootstrap 95% interval (percentiles of 2000 resamples) of median(head) / median(base). Rounds
// are drawn, not samples; with paired sides, both of a round. Values must be positive.
Interval ratio_interval(const Sides& sides);
// The same for the median of one side, relative to that median.
Interval median_interval(std::span<const Sample> samples);

// By how much the ratio would differ from 1 if both sides were the same program (as 0.02 for 2%):
// what 95% of random halves of one side against the other half show, for as many samples as there
// are. Sides that were not measured together also have the difference between the first and the
// second half of their time.
double a_a_noise(const Sides& sides);

}  // namespace hipwright::perf
