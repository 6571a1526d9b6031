// SPDX-License-Identifier: MIT
// Where a name is in a part of a file: what asks for each of many parts looks at no others.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "syntax/cuda/file.h"

namespace hipwright::syntax::cuda {

inline std::span<const TokenIndex> places_in(const File& file, TokenRange part, const Name& name) {
  const auto all = file.occurrences(name);
  const auto first = std::ranges::lower_bound(all, part.begin);
  return {first, std::ranges::lower_bound(first, all.end(), part.end)};
}

inline std::vector<TokenIndex> places_in(const File& file, TokenRange part, std::string_view name) {
  std::vector<TokenIndex> places;
  for (TokenIndex at = part.begin; at < part.end; ++at)
    if (file.tokens()[at].kind == Kind::kName && file.text(at) == name) places.push_back(at);
  return places;
}

}  // namespace hipwright::syntax::cuda
