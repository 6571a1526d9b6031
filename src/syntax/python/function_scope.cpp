// SPDX-License-Identifier: MIT
#include "syntax/python/function_scope.h"

#include <algorithm>

#include "base/words.h"

namespace hipwright::syntax::python {

TokenRange function_around(const File& file, StatementIndex statement) {
  const auto all = file.statements();
  const StatementIndex function =
      all[statement].kind == StatementKind::kDef ? statement : file.enclosing_def(statement);
  if (function == kNoStatement) return all[statement].tokens;
  return {all[function].tokens.begin, all[all[function].block_end - 1].tokens.end};
}

FunctionScope::FunctionScope(const File& file, StatementIndex statement) : file_(file) {
  const StatementIndex around = file.enclosing_def(statement);
  if (around == kNoStatement) return;
  const Statement& definition = file.statements()[around];
  const TokenIndex end = definition.block_end > around + 1
                             ? file.statements()[definition.block_end - 1].tokens.end
                             : definition.tokens.end;
  function_ = {definition.tokens.begin, end};
}

bool FunctionScope::contains(TokenIndex token) const {
  if (!function_.empty()) return function_.contains(token);
  const StatementIndex statement = file_.statement_at(token);
  return statement != kNoStatement && file_.enclosing_def(statement) == kNoStatement &&
         file_.statements()[statement].kind != StatementKind::kDef;
}

TokenRange FunctionScope::tokens() const {
  return is_function() ? function_ : TokenRange{0, static_cast<TokenIndex>(file_.tokens().size())};
}

bool mentions(const File& file, const FunctionScope& scope, std::span<const Name> names) {
  return std::ranges::any_of(names, [&](const Name& name) {
    return std::ranges::any_of(file.occurrences(name),
                               [&](TokenIndex at) { return scope.contains(at); });
  });
}

bool has_word(const File& file, TokenRange where, std::string_view word) {
  for (TokenIndex at = where.begin; at < where.end; ++at)
    if (const Kind kind = file.tokens()[at].kind; kind == Kind::kName || kind == Kind::kString)
      if (contains_word(file.text(at), word)) return true;
  return false;
}

bool in_function_header(const File& file, StatementIndex statement) {
  return file.statements()[statement].kind == StatementKind::kDef;
}

std::string_view function_name(const File& file, StatementIndex statement) {
  const StatementIndex around = file.statements()[statement].kind == StatementKind::kDef
                                    ? statement
                                    : file.enclosing_def(statement);
  if (around == kNoStatement) return {};
  const TokenIndex name = file.name_of(around);
  return name == kNoToken ? std::string_view() : file.text(name);
}

}  // namespace hipwright::syntax::python
