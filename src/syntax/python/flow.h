// SPDX-License-Identifier: MIT
// Light data flow within one Python file: where a name is bound, where it is used, and where its
// value is changed in place. From the text alone: no types, no calls followed.
#pragma once

#include <string_view>
#include <vector>

#include "syntax/python/file.h"

namespace hipwright::syntax::python {

enum class BindingKind : std::uint8_t {
  kAssign,     // x = value; also one of several targets
  kAugmented,  // x += value
  kDeclared,   // x: int
  kWalrus,
  kParameter,
  kFor,
  kWith,
  kImport,
  kExcept,
  kDefinition,  // def x, class x
  kDelete,
  kGlobal,  // global x, nonlocal x
};

struct Binding {
  TokenIndex name = kNoToken;
  StatementIndex statement = kNoStatement;
  BindingKind kind = BindingKind::kAssign;
  // The bound value if it is one expression: the right side of `x = value`, `x += value`,
  // `a, x = 1, value` and `x := value`, the default of a parameter, the iterable of `for x in …`,
  // the item of a with. Empty otherwise.
  TokenRange value;
};

// A name in a scope, or the attribute `self.name` in the methods of a class.
struct Variable {
  std::string_view name;
  StatementIndex scope = kNoStatement;  // a function or class; kNoStatement: the file
  bool is_attribute = false;            // self.name; `scope` is the class
};

// The function or class that is the scope of a statement; kNoStatement for the file.
StatementIndex scope_of(const File& file, StatementIndex statement);

// The variable that an occurrence of a name refers to: in the innermost scope that binds it, or in
// the file if none does. `self.x` and `cls.x` are attributes of the enclosing class.
Variable variable_at(const File& file, TokenIndex name);

// All occurrences of the variable, in source order, bindings included. For an attribute, the token
// after the dot.
std::vector<TokenIndex> uses(const File& file, const Variable& variable);
std::vector<Binding> bindings(const File& file, const Variable& variable);
// The bindings before a token, in source order: straight-line code sees the value of the last one.
std::vector<Binding> bindings_before(const File& file, const Variable& variable, TokenIndex token);

// An in-place change.
struct Mutation {
  TokenIndex name = kNoToken;  // of the variable, or of the one that holds a part of it
  StatementIndex statement = kNoStatement;
  // Which container changes: 0 what the variable holds (`x[i] = …`, `x.append(…)`), 1 one of its
  // elements (`x[i][j] = …`, `x[i].append(…)`, `for row in x: row[0] = …`), and so on.
  unsigned level = 0;
};
std::vector<Mutation> mutations(const File& file, const Variable& variable);

}  // namespace hipwright::syntax::python
