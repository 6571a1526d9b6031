// SPDX-License-Identifier: MIT
// The statements that run on ROCm: one pass over a file, in execution order.
#pragma once

#include <vector>

#include "syntax/python/condition.h"

namespace hipwright::syntax::python {

// Whether code is reached on ROCm, from never to certainly.
enum class Reach : std::uint8_t {
  kNever,
  kUnknown,  // in a function, or under conditions that are not known
  kOpen,     // runs on import without a condition
  kMeant,    // under a platform check that selects ROCm
};

Reach refine(Reach from, const Value& condition, bool is_true);
std::vector<Reach> reach_of_statements(const File& file, ConditionReader& conditions);
Reach reach_of_token(const File& file, ConditionReader& conditions, TokenIndex token, Reach from);

}  // namespace hipwright::syntax::python
