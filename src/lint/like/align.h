// SPDX-License-Identifier: MIT
// Aligns a shape with the tokens of a file so that as much of its weight as possible matches.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lint/like/shape.h"

namespace hipwright::lint::like {

// A file's tokens with the numbers of their keys (0 if no shape has the key) and of the file's
// distinct names.
struct Numbered {
  Stream stream;
  std::vector<std::uint32_t> words;
  std::vector<std::uint32_t> spellings;           // of tokens: an index of `parts`
  std::vector<std::vector<std::uint32_t>> parts;  // of names; of others empty
};

struct Alignment {
  float likeness = 0;                   // of the shape's weight: 1 is all of it
  Range range;                          // of the file's tokens
  float changed_share = 1;              // of the weight of what the fix changed
  float exact_share = 1;                // of the weight of words and operators that are not free
  std::vector<std::uint32_t> partners;  // for each element: a token, or kNone
};

// Words and operators count for `exact_share`, unless they are free.
bool is_exact_part(const Element& element);

// The places of a part of the file where the likeness is at least `least`; none overlap, best
// first.
std::vector<Alignment> align(const std::vector<Element>& elements, float total,
                             const Numbered& file, Range window, float least);

}  // namespace hipwright::lint::like
