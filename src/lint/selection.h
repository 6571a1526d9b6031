// SPDX-License-Identifier: MIT
// Which rules run, and which of their findings count: the request as the files' pass needs it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arch/target.h"
#include "base/error.h"
#include "lint/engine.h"
#include "lint/ignore.h"
#include "lint/rule.h"

namespace hipwright::lint {

struct Selection {
  std::vector<const Rule*> rules;   // by code
  std::vector<Relevance> relevant;  // of the targets; empty: all
  Confidence min_confidence = Confidence::kLow;
  struct PerFile {
    IgnorePatterns pattern;
    std::vector<const Rule*> ignored;
  };
  std::vector<PerFile> per_file;
  std::vector<std::string> baseline;  // sorted

  bool has(const Rule* rule) const;
  // Without those that are ignored for a file; `path` is from the project's folder.
  std::vector<const Rule*> rules_for(std::string_view path) const;
  bool wants(const Reported& reported) const;
};

// The rules that a word stands for: a code ("HW201"), a prefix of codes ("HW2"), a name, an area,
// or "all". An error offers what is near.
Result<std::vector<const Rule*>> rules_named(std::string_view word);

// Ignored wins over selected, unless the selecting word is more exact: --ignore HW2 --select HW201
// runs HW201.
Result<Selection> make_selection(const Options& options);

}  // namespace hipwright::lint
