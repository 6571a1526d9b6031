// SPDX-License-Identifier: MIT
// Describes which elements are wrong in a few words: lanes, blocks, rows, columns, the end.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "verify/numeric/compare.h"

namespace hipwright::verify {

// A sentence without a full stop, or empty. A pattern is reported only if it covers 95 % of the
// wrong elements and 90 % of the elements it names are wrong; for half waves 25 % suffices if the
// other half has no errors. `indices`: of the elements in the whole tensor, ascending; empty: all.
std::string pattern_of(const std::vector<bool>& is_wrong, std::span<const std::int64_t> indices,
                       const Shape& shape, const Layout& layout);

// A factor that all wrong values share: "each is 2 times the expected value". May be empty.
std::string common_factor(const Values& expected, const Values& actual,
                          const std::vector<bool>& is_wrong);

}  // namespace hipwright::verify
