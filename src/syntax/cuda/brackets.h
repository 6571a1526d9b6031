// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "syntax/cuda/directives.h"

namespace hipwright::syntax::cuda {

struct Brackets {
  std::vector<TokenIndex> partner;    // per token; kNoToken where there is none
  std::vector<TokenIndex> enclosing;  // per token: the innermost opening bracket around it
  std::vector<Problem> problems;
};

// Every branch of an #if starts with the brackets open before it; after the #endif the first branch
// that can be compiled counts. Opening brackets repeated in each branch share one partner.
Brackets match_brackets(const File& file, std::span<const TokenIndex> hashes,
                        const Directives& directives);

}  // namespace hipwright::syntax::cuda
