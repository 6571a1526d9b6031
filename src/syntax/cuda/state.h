// SPDX-License-Identifier: MIT
// The state of a File: its tokens, and what was computed so far.
#pragma once

#include <optional>
#include <unordered_map>

#include "syntax/cuda/brackets.h"
#include "syntax/cuda/conditions.h"
#include "syntax/cuda/directives.h"
#include "syntax/cuda/file.h"

namespace hipwright::syntax::cuda {

struct File::State {
  std::string_view text;
  Tokens tokens;
  // Occurrences by name: those of name n are occurrences[first[n]] up to first[n + 1].
  std::vector<std::uint32_t> first;
  std::vector<TokenIndex> occurrences;

  Effort effort;

  // Computed on first use.
  std::optional<Directives> directives;
  std::optional<Brackets> brackets;
  std::optional<std::vector<Function>> functions;
  std::optional<Conditions> conditions;
  std::optional<std::vector<Problem>> problems;
  std::optional<std::unordered_map<std::string_view, const Macro*>> macros_by_name;

  const MacroKnowledge* knowledge = nullptr;
  std::span<const MacroKey> redefined_on_amd;

  void index_names();
  const Directives& get_directives(const File& file);
  const Brackets& get_brackets(const File& file);
  const Conditions& get_conditions(const File& file);
};

}  // namespace hipwright::syntax::cuda
