// SPDX-License-Identifier: MIT
// The list that cmake/HipwrightRules.cmake generates from the files below rules/.
#pragma once

#include "lint/rule.h"

namespace hipwright::lint {

struct RuleEntry {
  const char* source;
  Rule (*make)();
};
extern const RuleEntry kRuleEntries[];
extern const unsigned kRuleEntryCount;

}  // namespace hipwright::lint
