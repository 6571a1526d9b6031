// SPDX-License-Identifier: MIT
// Which rules run, and which of their findings count: the request as the files' pass needs it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arch/target.h"
#include "base/error.h"
#include "lint/rule.h"

namespace hipwright::lint {

struct Selection {
  std::vector<const Rule*> rules;   // by code
  std::vector<Relevance> relevant;  // of the targets; empty: all
  Confidence min_confidence = Confidence::kLow;

  bool has(const Rule* rule) const;
};

// The rules that a word stands for: a code ("HW201"), a prefix of codes ("HW2"), a name, an area,
// or "all". An error offers what is near.
Result<std::vector<const Rule*>> rules_named(std::string_view word);

struct Choice {
  std::vector<std::string> select, ignore;
  std::vector<arch::Target> targets;
  Confidence min_confidence = Confidence::kLow;
};
// Ignored wins over selected, unless the selecting word is the longer prefix: --ignore HW2
// --select HW201 runs HW201.
Result<Selection> make_selection(const Choice& choice);

}  // namespace hipwright::lint
