// SPDX-License-Identifier: MIT
// Which elements are wrong, in a few words: lanes, blocks, rows, columns, the end.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "verify/numeric/compare.h"

namespace hipwright::verify {

// A sentence without its full stop, or nothing. It is only said when it is so of 95 % of what is
// wrong, and when nine in ten of the elements that it names are wrong; of a half of the waves a
// quarter is enough, when the other half has no error. `indices`: of the elements
// in the whole tensor, ascending; empty: all of them.
std::string pattern_of(const std::vector<bool>& is_wrong, std::span<const std::int64_t> indices,
                       const Shape& shape, const Layout& layout);

// What all wrong values have in common: "each is 2 times the expected value". May be empty.
std::string common_factor(const Values& expected, const Values& actual,
                          const std::vector<bool>& is_wrong);

}  // namespace hipwright::verify
