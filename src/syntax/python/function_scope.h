// SPDX-License-Identifier: MIT
// The function around a place in Python code, and what is mentioned in it.
#pragma once

#include <span>
#include <string_view>

#include "syntax/python/file.h"

namespace hipwright::syntax::python {

// The function around a statement with its nested functions; at module level, all code outside
// functions.
class FunctionScope {
 public:
  FunctionScope(const File& file, StatementIndex statement);
  bool contains(TokenIndex token) const;
  bool is_function() const { return !function_.empty(); }
  TokenRange tokens() const;  // the whole file at module level

 private:
  const File& file_;
  TokenRange function_;  // empty: the file
};

// Is one of the names in the scope?
bool mentions(const File& file, const FunctionScope& scope, std::span<const Name> names);

// Is `word` part of a name or a string there, ignoring case?
bool has_word(const File& file, TokenRange where, std::string_view word);

// Is the statement part of a function's header: a default value, an annotation?
bool in_function_header(const File& file, StatementIndex statement);

// The function around a statement, with its header; for a header, its function; otherwise the
// statement.
TokenRange function_around(const File& file, StatementIndex statement);

// The name of the function around a statement, or of the function whose header it is; empty at
// module level.
std::string_view function_name(const File& file, StatementIndex statement);

}  // namespace hipwright::syntax::python
