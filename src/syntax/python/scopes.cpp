// SPDX-License-Identifier: MIT
#include "syntax/python/scopes.h"

#include <algorithm>

#include "syntax/python/token_tests.h"

namespace hipwright::syntax::python {

namespace {

// The `x` of f(x=1): the name of another function's parameter.
bool is_keyword_name(const File& file, TokenIndex name) {
  if (!is_op(file, name + 1, op("="))) return false;
  const TokenIndex open = file.enclosing(name);
  return open != kNoToken && is_op(file, open, op("(")) &&
         (is_op(file, name - 1, op("(")) || is_op(file, name - 1, op(",")));
}

// What a place costs, in tokens.
constexpr std::size_t kStepsOfPlace = 150;

}  // namespace

NameScopes::NameScopes(const File& file, std::string_view name) : file_(file) {
  BindingReader reader(file);
  const NameIndex& index = file.state().names();
  for (TokenIndex at = index.first(name); at != kNoToken; at = index.next(at)) {
    if (!file.effort().spend(kStepsOfPlace)) break;
    if (at > 0 && is_op(file, at - 1, op("."))) continue;
    const auto found = reader.at(at, at);
    if (!found) {
      if (!is_keyword_name(file, at)) others_.push_back(at);
      continue;
    }
    bindings_.push_back(*found);
    (found->binding.kind == BindingKind::kGlobal ? global_ : owners_).push_back(found->scope);
  }
  for (std::vector<StatementIndex>* list : {&owners_, &global_}) {
    std::ranges::sort(*list);
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  for (FoundBinding& found : bindings_)
    if (std::ranges::binary_search(global_, found.scope)) found.scope = outer(found.scope);
}

std::vector<Binding> NameScopes::bindings_of(StatementIndex scope) const {
  std::vector<Binding> made;
  for (const FoundBinding& found : bindings_)
    if (found.scope == scope && found.binding.kind != BindingKind::kGlobal)
      made.push_back(found.binding);
  return made;
}

StatementIndex NameScopes::owner(TokenIndex at) const {
  const auto found = std::ranges::lower_bound(
      bindings_, at, {}, [](const FoundBinding& binding) { return binding.binding.name; });
  if (found != bindings_.end() && found->binding.name == at) return found->scope;
  const StatementIndex statement = file_.statement_at(at);
  if (statement == kNoStatement) return kNoStatement;
  const StatementIndex scope = scope_of(file_, statement);
  return scope == kNoStatement || binds(scope) ? scope : outer(scope);
}

bool NameScopes::binds(StatementIndex scope) const {
  return std::ranges::binary_search(owners_, scope) && !std::ranges::binary_search(global_, scope);
}

// The next enclosing function that has the name; functions in a class do not see its names.
StatementIndex NameScopes::outer(StatementIndex scope) const {
  while (scope != kNoStatement) {
    scope = scope_of(file_, scope);
    if (scope != kNoStatement && binds(scope) &&
        file_.statements()[scope].kind == StatementKind::kDef)
      return scope;
  }
  return kNoStatement;
}

}  // namespace hipwright::syntax::python
