// SPDX-License-Identifier: MIT
// Code that probes the machine: imports, libraries, devices, kernels.
#pragma once

#include "lint/rule.h"
#include "syntax/python/file.h"

namespace hipwright::lint {

// Does a token in the statements from `first` to `end` satisfy the predicate?
template <class Found>
bool any_token(const syntax::python::File& file, syntax::python::StatementIndex first,
               syntax::python::StatementIndex end, Found found) {
  for (syntax::python::StatementIndex at = first; at < end; ++at) {
    const syntax::python::TokenRange tokens = file.statements()[at].tokens;
    for (syntax::python::TokenIndex token = tokens.begin; token < tokens.end; ++token)
      if (found(token)) return true;
  }
  return false;
}

// An import of a package other than this project; not one that every program has.
bool imports_another_package(const PythonCheck& check, const syntax::python::Statement& statement);

// Is the block of a `try` a few lines that probe for a feature: an import, a device query, a
// kernel?
bool is_probe(const PythonCheck& check, syntax::python::StatementIndex attempt);
// The same with less certainty: it imports something, or a function's name suggests a query.
bool asks_for_something(const syntax::python::File& file, syntax::python::StatementIndex attempt);
// A function's name suggests a query, or a program that queries the machine is run.
bool asks_the_machine(const syntax::python::File& file, syntax::python::StatementIndex attempt);

// Do a `try` and its handler have to do with a GPU?
bool concerns_a_gpu(const syntax::python::File& file, syntax::python::StatementIndex attempt,
                    syntax::python::StatementIndex handler);

}  // namespace hipwright::lint
