// SPDX-License-Identifier: MIT
// A slice of a tensor is assigned a number while a graph is recorded.
//
// ## What it finds
//
// `buffer[a:b] = value` inside code that a CUDA graph records.
//
// ## Why it matters
//
// The assignment may make a tensor of the value on the host and copy it: a copy from pageable
// memory that is recorded with its address, or that is refused. `fill_` and `copy_` say what is
// meant and are recorded as one kernel.
//
// ## Example
//
// ```python
// with torch.cuda.graph(graph):
//     self.mask[start:end] = 0
// ```
//
// ## Use instead
//
// ```python
// with torch.cuda.graph(graph):
//     self.mask[start:end].fill_(0)
// ```
//
// ## When it is not a bug
//
// - The value is a tensor on the same device: then it is a copy on the device.
#include "lint/python/captured.h"
#include "lint/rule.h"

#include <fmt/format.h>

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Truth;

// "name[…:…] = value": the brackets and the value.
struct Assignment {
  TokenIndex open = kNoToken, close = kNoToken;
  TokenRange value;
};

Assignment slice_assignment(const File& file, TokenRange tokens) {
  for (TokenIndex at = tokens.begin; at + 1 < tokens.end; at = file.skip(at)) {
    if (!file.is(at, "[") || at == tokens.begin) continue;
    const TokenIndex close = file.partner(at);
    if (close == kNoToken || close + 2 >= tokens.end + 1 || !file.is(close + 1, "=")) continue;
    for (TokenIndex inside = at + 1; inside < close; inside = file.skip(inside))
      if (file.is(inside, ":")) return {at, close, {close + 2, tokens.end}};
  }
  return {};
}

// A number, True, False, or one of them with a sign.
bool is_constant(const File& file, TokenRange value) {
  TokenIndex first = value.begin;
  if (value.size() == 2 && file.is(first, "-")) ++first;
  if (first + 1 != value.end) return false;
  return file.tokens()[first].kind == Kind::kNumber || file.is(first, "True") ||
         file.is(first, "False");
}

void find(PythonCheck& check) {
  const File& file = check.file;
  for (const StatementIndex index : captured_statements(file)) {
    const Statement& statement = file.statements()[index];
    if (statement.kind != StatementKind::kSimple || file.runs_on_rocm(index) == Truth::kNo)
      continue;
    const Assignment found = slice_assignment(file, statement.tokens);
    if (found.open == kNoToken || !is_constant(file, found.value)) continue;
    check.report(file.span(statement.tokens), Confidence::kMedium,
                 "the value is copied from the host while a graph is recorded: use fill_()",
                 {{.description = "fill the slice in place",
                   .safe = true,
                   .edits = {{{file.span(found.close).end, file.span(found.value).end},
                              fmt::format(".fill_({})", file.text(found.value))}}}});
  }
}

}  // namespace

Rule slice_assign_under_capture() {
  return {.code = "HW601",
          .name = "slice-assign-under-capture",
          .summary = "a slice assigned while a graph is recorded",
          .triggers = capture_words(),
          .python = find};
}

}  // namespace hipwright::lint::rules
