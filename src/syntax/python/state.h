// SPDX-License-Identifier: MIT
// The state of a File. Everything but the tokens is computed on first use.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "syntax/python/file.h"
#include "syntax/python/name_index.h"
#include "syntax/python/reach.h"

namespace hipwright::syntax::python {

struct File::State {
  std::string_view text;
  Tokens tokens;
  std::vector<TokenIndex> hits;          // by name, then in text order
  std::vector<std::uint32_t> first_hit;  // of each name, and the end; empty without hits

  Effort effort;

  bool has_statements = false;
  std::vector<Statement> statements;

  const NameIndex& names() const {
    if (!name_index) name_index.emplace(text, tokens.list);
    return *name_index;
  }
  ConditionReader& conditions(const File& file) const {
    if (!condition_reader) condition_reader.emplace(file);
    return *condition_reader;
  }
  const std::vector<Reach>& reach(const File& file) const {
    if (!has_reach) {
      reach_list = reach_of_statements(file, conditions(file));
      has_reach = true;
    }
    return reach_list;
  }

  mutable std::optional<NameIndex> name_index;
  mutable std::optional<ConditionReader> condition_reader;
  mutable bool has_reach = false;
  mutable std::vector<Reach> reach_list;
};

struct StatementTree {
  std::vector<Statement> statements;
  std::vector<Problem> problems;
};
StatementTree build_statements(std::string_view text, const Tokens& tokens);

}  // namespace hipwright::syntax::python
