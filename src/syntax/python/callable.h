// SPDX-License-Identifier: MIT
// Resolves a name to the functions of a file where it is called or passed on.
#pragma once

#include <vector>

#include "syntax/python/file.h"

namespace hipwright::syntax::python {

// The functions of the file that `name` (the last token of f, self.f or an attribute that holds a
// function) may refer to, through assignments, functools.partial, and arguments of callers in this
// file: `run(step)` with `def run(function)`, `Runner(step)` that stores it in an attribute,
// `@recorded` above `def step`.
std::vector<StatementIndex> functions_meant(const File& file, TokenIndex name);

}  // namespace hipwright::syntax::python
