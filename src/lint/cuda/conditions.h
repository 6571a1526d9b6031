// SPDX-License-Identifier: MIT
// The conditions around a position in CUDA code.
#pragma once

#include <vector>

#include "syntax/cuda/values.h"

namespace hipwright::lint {

namespace cu = syntax::cuda;

struct Condition {
  cu::TokenIndex keyword;  // the if
  bool is_else;
  friend bool operator==(const Condition&, const Condition&) = default;
};

struct Place {
  std::vector<Condition> conditions;  // outermost first
  bool is_unclear = false;            // a switch, a lambda, if constexpr
};

// The position of a token within the block that opens at `scope`.
Place place_of(const cu::File& file, cu::TokenIndex token, cu::TokenIndex scope);

}  // namespace hipwright::lint
