// SPDX-License-Identifier: MIT
// Projects that use both PyTorch and JAX.
#include "port/pass.h"
#include "port/python/context.h"
#include "port/python/imported_names.h"

namespace hipwright::port::passes {

using namespace syntax::python;

namespace {

const syntax::Name kJax("jax");

void apply(PythonContext& context) {
  const File& file = context.file;
  if (!context.layout.imports("torch")) return;
  for (const TokenIndex at : file.occurrences(kJax)) {
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || at != file.statements()[index].tokens.begin + 1 ||
        imported_names(file, index).empty())
      continue;
    context.report(
        "HP003", Severity::kNote, file.span(at),
        "the project uses PyTorch and JAX; the JAX part was not ported, use PyTorch on ROCm");
    break;
  }
}

}  // namespace

Pass jax() {
  return {.codes = {"HP003"}, .python = apply};
}

}  // namespace hipwright::port::passes
