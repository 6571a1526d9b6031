// SPDX-License-Identifier: MIT
// Compares two results element by element: whether they agree, how much they differ, and where.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "verify/numeric/tolerance.h"
#include "verify/numeric/values.h"

namespace hipwright::verify {

// How the indices of an output map to threads, for finding patterns of lanes.
struct Layout {
  unsigned wave_size = 0;   // of the device that made `actual`; 0: not made by a GPU
  unsigned block_size = 0;  // threads; 0: not known
};

struct Comparison {
  bool passes = false;
  std::string problem;  // why the two cannot be compared (type, shape); empty: they can

  DataType type = DataType::kF32;
  Shape shape;
  std::string allowed;  // the tolerance, as text
  std::size_t count = 0, wrong = 0;
  std::size_t first_wrong = 0;
  double first_expected = 0, first_actual = 0;
  std::string first_expected_text, first_actual_text;       // with every digit of a 64-bit integer
  double max_absolute = 0, max_relative = 0, max_ulps = 0;  // of finite pairs
  std::size_t worst = 0;                                    // index of max_ulps
  double cosine = 1;                                        // of the finite pairs
  std::size_t wrong_nans = 0, wrong_infinities = 0;
  // Elements by their error: equal, up to 1 unit in the last place, 2, 4, … ; the last: more. Of
  // integers the unit is 1.
  std::array<std::size_t, 16> by_ulps{};
  std::string pattern;  // "every lane >= 32 is wrong", "all but the first block"; may be empty
  // By index; empty when all are right. With any_order: the expected elements without a match.
  std::vector<bool> is_wrong;

  // "17 of 4096 elements differ (first [0, 33]: 1.5, expected 2.25) …"; one paragraph.
  std::string text() const;
};

Comparison compare(const Values& expected, const Values& actual, const Tolerance& tolerance,
                   const Layout& layout = {});

// The same for a sample: `expected` and `actual` have one value for each of the ascending `indices`
// into a tensor of shape `whole`. Indices in the result refer to the whole tensor; is_wrong has one
// entry per sampled value.
Comparison compare_sample(const Values& expected, const Values& actual, const Shape& whole,
                          std::span<const std::int64_t> indices, const Tolerance& tolerance,
                          const Layout& layout = {});

// The errors as a picture: rows and columns of the tensor (one dimension: wrapped), black where
// equal, blue where within the tolerance, dark to bright red where wrong, yellow where a NaN or an
// infinity is not as expected. PNG; empty when the two cannot be compared.
std::string heat_map(const Values& expected, const Values& actual, const Comparison& comparison);
// The same for a report; empty for a few elements, where the text says it all.
std::string picture_of(const Values& expected, const Values& actual, const Comparison& comparison);

}  // namespace hipwright::verify
