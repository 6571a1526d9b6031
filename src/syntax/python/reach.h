// SPDX-License-Identifier: MIT
// Which statements run on ROCm: one pass over a file, in the order in which it would run.
#pragma once

#include <vector>

#include "syntax/python/condition.h"

namespace hipwright::syntax::python {

// How code is reached on ROCm, from never to surely.
enum class Reach : std::uint8_t {
  kNever,
  kUnknown,  // in a function, or under conditions that are not known
  kOpen,     // run on import, nothing stands in the way
  kMeant,    // somebody asked for the platform and sent ROCm here
};

Reach refine(Reach from, const Value& condition, bool is_true);
std::vector<Reach> reach_of_statements(const File& file, ConditionReader& conditions);
Reach reach_of_token(const File& file, ConditionReader& conditions, TokenIndex token, Reach from);

}  // namespace hipwright::syntax::python
