// SPDX-License-Identifier: MIT
// Code that a CUDA (HIP) graph records.
#pragma once

#include <vector>

#include "syntax/python/file.h"

namespace hipwright::lint {

struct Captured {
  syntax::python::StatementIndex statement = syntax::python::kNoStatement;
  unsigned depth = 0;  // calls between the recording and the statement
};

// Statements inside `with torch.cuda.graph(…):` (and what other modules and wrappers call it),
// between capture_begin() and capture_end() of one block, under `if
// …is_current_stream_capturing()`, and in functions of the same file that are called from there,
// two calls deep, or handed to make_graphed_callables() or to a wrapper that records what it was
// given. In text order, each once. What stands under `if not …is_current_stream_capturing()` is not
// recorded.
std::vector<Captured> captured_statements(const syntax::python::File& file);

// Names without which no file captures: triggers of the rules that ask.
std::vector<syntax::Name> capture_words();

// Is what is assigned to, called on or compared there a tensor for all that the file says of it:
// made by torch, or its shape, type or device is asked for? `name` is the last token of a dotted
// name.
bool looks_like_tensor(const syntax::python::File& file, syntax::python::TokenIndex name);

}  // namespace hipwright::lint
