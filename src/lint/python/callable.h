// SPDX-License-Identifier: MIT
// Which function of a file a name stands for where it is called or handed on.
#pragma once

#include <vector>

#include "syntax/python/file.h"

namespace hipwright::lint {

// The functions of the file that `name` (the last token of f, self.f or an attribute that keeps a
// function) may mean. Through assignments, functools.partial, and parameters that a caller in this
// file gives: `run(step)` with `def run(function)`, `Runner(step)` that keeps it in an attribute,
// `@recorded` above `def step`.
std::vector<syntax::python::StatementIndex> functions_meant(const syntax::python::File& file,
                                                            syntax::python::TokenIndex name);

}  // namespace hipwright::lint
