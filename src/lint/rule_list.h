// SPDX-License-Identifier: MIT
// The list that cmake/HipwrightLists.cmake generates from the files below rules/.
#pragma once

#include "lint/rule.h"

namespace hipwright::lint {

struct RuleEntry {
  const char* source;  // "fp8/fp8_dtype.cpp"
  Rule (*make)();
};
extern const RuleEntry kRuleEntries[];
extern const unsigned kRuleEntryCount;

}  // namespace hipwright::lint
