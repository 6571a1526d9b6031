// SPDX-License-Identifier: MIT
// Is an occurrence of a name a binding?
#pragma once

#include <optional>

#include "syntax/python/flow.h"

namespace hipwright::syntax::python {

struct FoundBinding {
  Binding binding;
  StatementIndex scope = kNoStatement;  // whose name it becomes
};

// Parses the structure of a statement once for all the names in it: query in source order.
class BindingReader {
 public:
  explicit BindingReader(const File& file) : file_(file) {}

  // `name` is a name that no dot precedes, or x in self.x (then `from` is two tokens before it).
  std::optional<FoundBinding> at(TokenIndex from, TokenIndex name);
  // Is the range from `from` to before `to` a target of an assignment?
  bool is_target(TokenIndex from, TokenIndex to);
  // The right side of the assignment of the last query.
  TokenRange right_side() const { return right_; }
  StatementIndex statement() const { return statement_; }
  bool is_augmented(TokenIndex token) const;  // is this the operator of x += 1?

 private:
  void look_at(StatementIndex statement);
  std::optional<FoundBinding> found(TokenIndex name, BindingKind kind, TokenRange value = {}) const;
  std::optional<FoundBinding> assigned(TokenIndex from, TokenIndex name) const;
  std::optional<FoundBinding> imported(TokenIndex name) const;
  std::optional<FoundBinding> parameter(TokenIndex name) const;
  std::optional<FoundBinding> loop_target(TokenIndex name) const;
  bool stands_as_target(TokenIndex from, TokenIndex to) const;
  TokenRange right_element(TokenIndex name) const;

  const File& file_;
  StatementIndex statement_ = kNoStatement;
  TokenRange tokens_;
  TokenIndex assign_ = kNoToken;     // the last '='
  TokenIndex augmented_ = kNoToken;  // += and similar operators
  TokenIndex annotation_ = kNoToken;
  TokenIndex in_ = kNoToken;  // of a for
  TokenRange right_;
};

bool is_augmented_assignment(std::string_view op_text);

}  // namespace hipwright::syntax::python
