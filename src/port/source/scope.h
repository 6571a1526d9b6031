// SPDX-License-Identifier: MIT
// Namespaces and classes around a token.
#pragma once

#include <string>

#include "syntax/cuda/file.h"

namespace hipwright::port {

struct Scope {
  std::string path;        // "a::B"; empty: the global one. Namespaces without a name count as
                           // what is around them
  bool is_class = false;   // the innermost is one
  bool has_bases = false;  // and names may be those of another
  friend bool operator==(const Scope&, const Scope&) = default;
};

// Includes the class before the name of a member function defined outside it, even for the name of
// such a definition itself.
Scope scope_at(const syntax::cuda::File& file, syntax::cuda::TokenIndex token);

// a::name, f<T>::name; not ::name, even after a keyword: `return ::name`.
bool has_qualifier(const syntax::cuda::File& file, syntax::cuda::TokenIndex name);

}  // namespace hipwright::port
