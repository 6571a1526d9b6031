// SPDX-License-Identifier: MIT
// Inductor's settings in a Python file: config.triton.cudagraphs = True, and as items of a dict.
#pragma once

#include <vector>

#include "syntax/python/file.h"

namespace hipwright::port {

// Does the file name torch.compile, and one of the settings that the port is about? From tokens
// alone.
bool calls_compile(const syntax::python::File& file);
bool sets_inductor(const syntax::python::File& file);

// The right side of `config.triton.cudagraphs = value`, given its last name, and of
// `config.patch(max_autotune=value)`; empty if it is not an Inductor setting.
syntax::python::TokenRange inductor_value(const syntax::python::File& file,
                                          syntax::python::TokenIndex name);

// The keys of dicts that are texts: options={"triton.cudagraphs": True}. The value is the second
// token behind them.
std::vector<syntax::python::TokenIndex> text_keys(const syntax::python::File& file);

}  // namespace hipwright::port
