// SPDX-License-Identifier: MIT
#pragma once

#include "lint/like/shape.h"

namespace hipwright::lint::like {

// The tokens of a range that the fix changed, and those before which it inserted something.
struct Marks {
  std::vector<bool> changed, joint;  // one for each token
  std::vector<bool> centre;          // distances are measured to these; if none, everything is near
  explicit Marks(std::size_t count) : changed(count), joint(count), centre(count) {}
};

std::vector<Element> make_elements(const Stream& stream, Range range, const Marks& marks);

// The distinct names on both sides of a range.
std::vector<Shape::Nearby> names_nearby(const Stream& stream, Range range);
constexpr std::uint32_t kNearby = 80;  // tokens on each side

// The maximum number of tokens in a shape.
constexpr std::uint32_t kMostTokens = 110;

// The part of a long range around the marked tokens: whole brackets if they fit.
Range part_around(const Stream& stream, Range range, const Marks& marks);

}  // namespace hipwright::lint::like
