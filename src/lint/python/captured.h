// SPDX-License-Identifier: MIT
// Code that a CUDA (HIP) graph records.
#pragma once

#include <vector>

#include "syntax/python/file.h"

namespace hipwright::lint {

// Statements inside `with torch.cuda.graph(…):`, between capture_begin() and capture_end() of one
// block, and in functions of the same file that are called from there or handed to
// make_graphed_callables(); in text order, each once.
std::vector<syntax::python::StatementIndex> captured_statements(const syntax::python::File& file);

// Names without which no file captures: triggers of the rules that ask.
std::vector<syntax::Name> capture_words();

}  // namespace hipwright::lint
