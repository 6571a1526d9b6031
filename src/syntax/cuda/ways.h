// SPDX-License-Identifier: MIT
// The ifs around a position in a function, and whether some writes are on every way to its end.
#pragma once

#include <vector>

#include "syntax/cuda/values.h"

namespace hipwright::syntax::cuda {

struct Condition {
  TokenIndex keyword;  // the if
  bool is_else;
  friend bool operator==(const Condition&, const Condition&) = default;
};

struct Place {
  std::vector<Condition> conditions;  // outermost first
  bool is_unclear = false;            // a switch, a lambda, if constexpr
  bool is_in_switch = false;
};

// The position of a token within the block that opens at `scope`.
Place place_of(const File& file, TokenIndex token, TokenIndex scope);

// Are the first conditions the beginning of the others?
bool is_prefix(const std::vector<Condition>& shorter, const std::vector<Condition>& longer);
// Do the places of these writes cover every way through the block?
bool are_on_every_way(const std::vector<Place>& writes);

}  // namespace hipwright::syntax::cuda
