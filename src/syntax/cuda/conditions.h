// SPDX-License-Identifier: MIT
// The branches of a file that each platform compiles.
#pragma once

#include <array>
#include <vector>

#include "syntax/cuda/directives.h"

namespace hipwright::syntax::cuda {

struct Conditions {
  // Per branch and platform, the branches around it included.
  std::vector<std::array<Truth, 2>> compiled;
};

struct Elsewhere {
  const MacroKnowledge* macros = nullptr;
  std::span<const MacroKey> redefined_on_amd = {};
};

// Follows #define and #undef through the file: a macro defined under a platform's macro is
// equivalent to that macro.
Conditions evaluate_conditions(const File& file, std::span<const TokenIndex> hashes,
                               const Directives& directives, const Elsewhere& elsewhere);

// The condition of a branch, without those around it; for an #else, the negation.
std::vector<std::string> describe_branch(const File& file, const Directives& directives,
                                         std::uint32_t branch);

}  // namespace hipwright::syntax::cuda
