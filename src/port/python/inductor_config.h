// SPDX-License-Identifier: MIT
// Inductor's settings in a Python file: config.triton.cudagraphs = True, and as items of a dict.
#pragma once

#include <vector>

#include "syntax/python/file.h"

namespace hipwright::port {

// The right side of `config.triton.cudagraphs = value`, given its last name; empty if it is not an
// Inductor setting.
syntax::python::TokenRange inductor_value(const syntax::python::File& file,
                                          syntax::python::TokenIndex name);

// The keys of dicts that are texts: options={"triton.cudagraphs": True}. The value is the second
// token behind them.
std::vector<syntax::python::TokenIndex> text_keys(const syntax::python::File& file);

}  // namespace hipwright::port
