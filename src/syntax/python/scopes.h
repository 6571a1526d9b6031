// SPDX-License-Identifier: MIT
// Everything about one name of a file: its bindings, and the scope of its other occurrences.
#pragma once

#include "syntax/python/binding.h"

namespace hipwright::syntax::python {

class NameScopes {
 public:
  NameScopes(const File& file, std::string_view name);

  const std::vector<FoundBinding>& bindings() const { return bindings_; }  // in text order
  const std::vector<TokenIndex>& others() const { return others_; }  // places that bind nothing
  std::vector<Binding> bindings_of(StatementIndex scope) const;      // without global and nonlocal

  // The scope of the variable that an occurrence of the name refers to.
  StatementIndex owner(TokenIndex at) const;

 private:
  bool binds(StatementIndex scope) const;
  StatementIndex outer(StatementIndex scope) const;

  const File& file_;
  std::vector<FoundBinding> bindings_;
  std::vector<TokenIndex> others_;
  std::vector<StatementIndex> owners_;
  std::vector<StatementIndex> global_;  // scopes that say global or nonlocal
};

// Is this the x of self.x or cls.x?
bool is_self_attribute(const File& file, TokenIndex name);

}  // namespace hipwright::syntax::python
