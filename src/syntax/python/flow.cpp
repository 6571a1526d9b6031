// SPDX-License-Identifier: MIT
#include "syntax/python/flow.h"

#include <algorithm>

#include "syntax/python/binding.h"
#include "syntax/python/state.h"

namespace hipwright::syntax::python {

namespace {

bool is_op(const File& file, TokenIndex token, std::uint16_t id) {
  const Token& at = file.tokens()[token];
  return at.kind == Kind::kOp && at.id == id;
}

bool follows_dot(const File& file, TokenIndex token) {
  return token > 0 && is_op(file, token - 1, op("."));
}

bool is_self_attribute(const File& file, TokenIndex name) {
  return name >= 2 && follows_dot(file, name) && !follows_dot(file, name - 2) &&
         (file.is(name - 2, "self") || file.is(name - 2, "cls"));
}

// The `x` of f(x=1): the name of a parameter of somebody else.
bool is_keyword_name(const File& file, TokenIndex name) {
  if (!is_op(file, name + 1, op("="))) return false;
  const TokenIndex open = file.enclosing(name);
  return open != kNoToken && is_op(file, open, op("(")) &&
         (is_op(file, name - 1, op("(")) || is_op(file, name - 1, op(",")));
}

// Everything about one name of the file: who binds it, and whose it is elsewhere.
class NameScopes {
 public:
  NameScopes(const File& file, std::string_view name) : file_(file) {
    BindingReader reader(file);
    const NameIndex& index = file.state().names();
    for (TokenIndex at = index.first(name); at != kNoToken; at = index.next(at)) {
      if (follows_dot(file, at)) continue;
      auto found = reader.at(at, at);
      if (!found) {
        if (!is_keyword_name(file, at)) others_.push_back(at);
      } else if (found->binding.kind == BindingKind::kGlobal) {
        global_.push_back(found->scope);
        bindings_.push_back(*found);
      } else {
        if (found->scope != kNoStatement) owners_.push_back(found->scope);
        bindings_.push_back(*found);
      }
    }
    const auto tidy = [](std::vector<StatementIndex>& list) {
      std::ranges::sort(list);
      list.erase(std::unique(list.begin(), list.end()), list.end());
    };
    tidy(owners_);
    tidy(global_);
    for (FoundBinding& found : bindings_)
      if (std::ranges::binary_search(global_, found.scope)) found.scope = outer(found.scope);
  }

  const std::vector<FoundBinding>& bindings() const { return bindings_; }
  const std::vector<TokenIndex>& others() const { return others_; }  // places that bind nothing

  // The scope of the variable that a place means.
  StatementIndex owner(TokenIndex at) const {
    const StatementIndex statement = file_.statement_at(at);
    if (statement == kNoStatement) return kNoStatement;
    const StatementIndex scope = scope_of(file_, statement);
    if (binds(scope)) return scope;
    return outer(scope);
  }

 private:
  bool binds(StatementIndex scope) const {
    return std::ranges::binary_search(owners_, scope) &&
           !std::ranges::binary_search(global_, scope);
  }

  // The next function outwards that has the name; classes lend theirs to nobody inside.
  StatementIndex outer(StatementIndex scope) const {
    while (scope != kNoStatement) {
      scope = scope_of(file_, scope);
      if (scope != kNoStatement && binds(scope) &&
          file_.statements()[scope].kind == StatementKind::kDef)
        return scope;
    }
    return kNoStatement;
  }

  const File& file_;
  std::vector<FoundBinding> bindings_;
  std::vector<TokenIndex> others_;
  std::vector<StatementIndex> owners_;
  std::vector<StatementIndex> global_;  // scopes that say global or nonlocal
};

// The places of self.name in a class.
std::vector<TokenIndex> attribute_places(const File& file, const Variable& variable) {
  std::vector<TokenIndex> found;
  const NameIndex& index = file.state().names();
  for (TokenIndex at = index.first(variable.name); at != kNoToken; at = index.next(at)) {
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
  const NameScopes scopes(file, file.text(name));
  for (const FoundBinding& found : scopes.bindings())
    if (found.binding.name == name) return {file.text(name), found.scope, false};
  return {file.text(name), scopes.owner(name), false};
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
  const NameScopes scopes(file, variable.name);
  for (const FoundBinding& found : scopes.bindings())
    if (found.scope == variable.scope && found.binding.kind != BindingKind::kGlobal)
      made.push_back(found.binding);
  return made;
}

std::vector<Binding> bindings_before(const File& file, const Variable& variable, TokenIndex token) {
  std::vector<Binding> made = bindings(file, variable);
  std::erase_if(made, [&](const Binding& binding) { return binding.name >= token; });
  return made;
}

}  // namespace hipwright::syntax::python
