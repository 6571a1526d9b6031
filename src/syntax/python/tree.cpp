// SPDX-License-Identifier: MIT
// Queries about statements: position, parent, name.
#include <algorithm>

#include "syntax/python/state.h"

namespace hipwright::syntax::python {

std::span<const Statement> File::statements() const {
  if (!state_->has_statements) {
    StatementTree tree = build_statements(state_->text, state_->tokens);
    state_->statements = std::move(tree.statements);
    std::vector<Problem>& problems = state_->tokens.problems;
    std::ranges::move(tree.problems, std::back_inserter(problems));
    std::ranges::sort(problems, {}, [](const Problem& problem) { return problem.span.begin; });
    state_->has_statements = true;
  }
  return state_->statements;
}

StatementIndex File::statement_at(TokenIndex token) const {
  const auto all = statements();
  const auto after = std::ranges::upper_bound(
      all, token, {}, [](const Statement& statement) { return statement.tokens.begin; });
  return after == all.begin() ? kNoStatement : static_cast<StatementIndex>(after - all.begin()) - 1;
}

namespace {

StatementIndex around(std::span<const Statement> all, StatementIndex statement,
                      StatementKind kind) {
  if (statement == kNoStatement) return kNoStatement;
  StatementIndex at = all[statement].parent;
  while (at != kNoStatement && all[at].kind != kind) at = all[at].parent;
  return at;
}

}  // namespace

StatementIndex File::enclosing_def(StatementIndex statement) const {
  return around(statements(), statement, StatementKind::kDef);
}

StatementIndex File::enclosing_class(StatementIndex statement) const {
  return around(statements(), statement, StatementKind::kClass);
}

std::vector<StatementIndex> File::children(StatementIndex parent) const {
  const auto all = statements();
  std::vector<StatementIndex> found;
  const bool whole = parent == kNoStatement;
  const StatementIndex end =
      whole ? static_cast<StatementIndex>(all.size()) : all[parent].block_end;
  for (StatementIndex at = whole ? 0 : parent + 1; at < end; at = all[at].block_end)
    found.push_back(at);
  return found;
}

std::vector<StatementIndex> File::decorators(StatementIndex definition) const {
  const auto all = statements();
  std::vector<StatementIndex> found;
  for (StatementIndex at = definition; at > 0 && all[at - 1].kind == StatementKind::kDecorator &&
                                       all[at - 1].parent == all[definition].parent;
       --at)
    found.push_back(at - 1);
  std::ranges::reverse(found);
  return found;
}

TokenIndex File::name_of(StatementIndex definition) const {
  const Statement& at = statements()[definition];
  if (at.kind != StatementKind::kDef && at.kind != StatementKind::kClass) return kNoToken;
  const TokenIndex name = at.tokens.begin + (at.is_async ? 2 : 1);
  return at.tokens.contains(name) && tokens()[name].kind == Kind::kName ? name : kNoToken;
}

}  // namespace hipwright::syntax::python
