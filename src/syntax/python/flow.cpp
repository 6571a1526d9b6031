// SPDX-License-Identifier: MIT
#include "syntax/python/flow.h"

#include <algorithm>

#include "syntax/python/scopes.h"
#include "syntax/python/token_tests.h"

namespace hipwright::syntax::python {

namespace {

bool follows_dot(const File& file, TokenIndex token) {
  return token > 0 && is_op(file, token - 1, op("."));
}

}  // namespace

bool is_self_attribute(const File& file, TokenIndex name) {
  return name >= 2 && follows_dot(file, name) && !follows_dot(file, name - 2) &&
         (file.is(name - 2, "self") || file.is(name - 2, "cls"));
}

namespace {

// The places of self.name in a class.
std::vector<TokenIndex> attribute_places(const File& file, const Variable& variable) {
  std::vector<TokenIndex> found;
  const NameIndex& index = file.state().names();
  for (TokenIndex at = index.first(variable.name); at != kNoToken; at = index.next(at)) {
    if (!file.effort().spend(50)) break;
    if (!is_self_attribute(file, at)) continue;
    const StatementIndex statement = file.statement_at(at);
    if (statement != kNoStatement && file.enclosing_class(statement) == variable.scope)
      found.push_back(at);
  }
  return found;
}

}  // namespace

StatementIndex scope_of(const File& file, StatementIndex statement) {
  const auto all = file.statements();
  if (statement == kNoStatement) return kNoStatement;
  StatementIndex at = all[statement].parent;
  while (at != kNoStatement && all[at].kind != StatementKind::kDef &&
         all[at].kind != StatementKind::kClass)
    at = all[at].parent;
  return at;
}

Variable variable_at(const File& file, TokenIndex name) {
  if (is_self_attribute(file, name)) {
    const StatementIndex statement = file.statement_at(name);
    return {file.text(name), file.enclosing_class(statement), true};
  }
  return {file.text(name), NameScopes(file, file.text(name)).owner(name), false};
}

std::vector<TokenIndex> uses(const File& file, const Variable& variable) {
  if (variable.is_attribute) return attribute_places(file, variable);
  const NameScopes scopes(file, variable.name);
  std::vector<TokenIndex> found;
  for (const FoundBinding& binding : scopes.bindings())
    if (binding.scope == variable.scope) found.push_back(binding.binding.name);
  for (const TokenIndex at : scopes.others())
    if (scopes.owner(at) == variable.scope) found.push_back(at);
  std::ranges::sort(found);
  return found;
}

std::vector<Binding> bindings(const File& file, const Variable& variable) {
  std::vector<Binding> made;
  if (variable.is_attribute) {
    BindingReader reader(file);
    for (const TokenIndex at : attribute_places(file, variable))
      if (const auto found = reader.at(at - 2, at)) made.push_back(found->binding);
    return made;
  }
  return NameScopes(file, variable.name).bindings_of(variable.scope);
}

std::vector<Binding> bindings_before(const File& file, const Variable& variable, TokenIndex token) {
  std::vector<Binding> made = bindings(file, variable);
  std::erase_if(made, [&](const Binding& binding) { return binding.name >= token; });
  return made;
}

}  // namespace hipwright::syntax::python
