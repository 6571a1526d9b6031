// SPDX-License-Identifier: MIT
// Do two sets of measurements differ? By ranks: no assumption about their distribution.
#pragma once

#include <span>
#include <vector>

namespace hipwright::perf {

// The two-sided p-value of the Mann-Whitney U test, ties at their middle ranks. Exact for sets of
// up to 40 values, otherwise by the normal approximation with corrections for ties and continuity.
// 1 if one set is empty.
double mann_whitney_p(std::span<const double> a, std::span<const double> b);

// Holm's correction: p-values that may be compared with one level although all of them were looked
// at.
std::vector<double> holm(std::span<const double> p_values);

}  // namespace hipwright::perf
