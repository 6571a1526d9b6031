// SPDX-License-Identifier: MIT
// Code that runs during CUDA (HIP) graph capture.
#pragma once

#include <vector>

#include "syntax/python/file.h"

namespace hipwright::syntax::python {

struct Captured {
  StatementIndex statement = kNoStatement;
  unsigned depth = 0;  // calls between the capture and the statement
};

// Statements inside `with torch.cuda.graph(…):` (under any name that modules and wrappers use),
// between capture_begin() and capture_end() of one block, under `if
// …is_current_stream_capturing()`, and in functions of the same file that are called from there,
// two calls deep, or passed to make_graphed_callables() or to a wrapper that captures its argument.
// In source order, each once. Code under `if not …is_current_stream_capturing()` is not captured.
std::vector<Captured> captured_statements(const File& file);

// Names that every capturing file contains: triggers for the rules.
std::vector<Name> capture_words();

// Is the object a tensor, as far as the file shows: created by torch, or used with its shape, type
// or device? `name` is the last token of a dotted name.
bool looks_like_tensor(const File& file, TokenIndex name);

}  // namespace hipwright::syntax::python
