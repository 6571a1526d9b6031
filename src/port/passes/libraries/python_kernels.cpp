// SPDX-License-Identifier: MIT
// Kernels written in Python, or compiled from it: Numba and PyCUDA.
#include "port/pass.h"
#include "port/python/context.h"
#include "port/python/imported_names.h"

namespace hipwright::port::passes {

using namespace syntax::python;
using syntax::Name;

namespace {

const Name kNumba("numba"), kPyCuda("pycuda");

// from numba import cuda; import pycuda.driver
void apply(PythonContext& context) {
  const File& file = context.file;
  for (const Name& name : {kNumba, kPyCuda})
    for (const TokenIndex at : file.occurrences(name)) {
      const StatementIndex index = file.statement_at(at);
      if (index == kNoStatement || at != file.statements()[index].tokens.begin + 1 ||
          context.is_settled(at))
        continue;
      const std::vector<ImportedName> names = imported_names(file, index);
      if (names.empty() || context.layout.owns(name.text())) continue;
      const std::string what =
          names[0].word.empty() ? names[0].module : names[0].module + "." + names[0].word;
      if (file.is(at, kNumba) && !what.starts_with("numba.cuda")) continue;
      const bool is_caught = file.guarded_by_try(index, "ImportError");
      context.report(
          "HP512", is_caught ? Severity::kNote : Severity::kError,
          file.span(file.statements()[index].tokens),
          file.is(at, kNumba)
              ? "numba.cuda compiles for NVIDIA only; ROCm has its own package, numba-hip"
              : "PyCUDA calls NVIDIA's driver; CuPy has a ROCm build");
    }
}

}  // namespace

Pass python_kernels() {
  return {.codes = {"HP512"}, .python = apply};
}

}  // namespace hipwright::port::passes
