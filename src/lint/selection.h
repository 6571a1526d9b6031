// SPDX-License-Identifier: MIT
// Which rules run and which of their findings count: the request in the form the file pass needs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arch/target.h"
#include "base/error.h"
#include "lint/engine.h"
#include "lint/rule.h"
#include "project/ignore.h"

namespace hipwright::lint {

struct Selection {
  std::vector<const Rule*> rules;   // by code
  std::vector<Relevance> relevant;  // to the targets; empty for all
  Confidence min_confidence = Confidence::kLow;
  struct PerFile {
    project::IgnorePatterns pattern;
    std::vector<const Rule*> ignored;
  };
  std::vector<PerFile> per_file;
  std::vector<std::string> baseline;  // sorted

  bool has(const Rule* rule) const;
  // Without the rules ignored for a file; `path` is relative to the project's folder.
  std::vector<const Rule*> rules_for(std::string_view path) const;
  bool wants(const Reported& reported) const;
};

// The rules that a word selects: a code ("HW201"), a code prefix ("HW2"), a name, an area, or
// "all". The error for an unknown word suggests the closest one.
Result<std::vector<const Rule*>> rules_named(std::string_view word);

// --ignore overrides --select unless the selecting word is more specific: --ignore HW2 --select
// HW201 runs HW201.
Result<Selection> make_selection(const Options& options);

}  // namespace hipwright::lint
