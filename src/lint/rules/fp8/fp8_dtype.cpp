// SPDX-License-Identifier: MIT
// The OCP fp8 type is used where a GPU may compute with fnuz.
//
// ## What it finds
//
// `torch.float8_e4m3fn` or `torch.float8_e5m2` as the type of a tensor that is made or converted,
// in a function that does not ask which fp8 format the platform has.
//
// ## Why it matters
//
// gfx942 (MI300X) computes with `float8_e4m3fnuz`: another exponent bias, other special values. A
// tensor of the OCP type is refused there by the matrix kernels, or its values are read as half of
// what they are. gfx950 and gfx12 use OCP, so one answer does not fit all AMD GPUs either.
//
// ## Example
//
// ```python
// q = (x / scale).to(torch.float8_e4m3fn)
// ```
//
// ## Use instead
//
// ```python
// q = (x / scale).to(current_platform.fp8_dtype())
// ```
//
// ## When it is not a bug
//
// - The type is compared with, listed in a table, or the storage format of a checkpoint.
// - The function chooses between the formats.
#include <array>

#include <fmt/format.h>

#include "lint/python/around.h"
#include "lint/rule.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const std::array kTypes = {Name("float8_e4m3fn"), Name("float8_e5m2")};

// The type decides what a tensor is: "dtype=T" of a call, or the first argument of ".to(T)",
// ".view(T)", ".type(T)".
bool makes_a_tensor(const File& file, TokenRange name) {
  if (name.begin == 0) return false;
  const TokenIndex open = file.enclosing(name.begin);
  if (open == kNoToken || open == 0 || !file.is(open, "(")) return false;
  if (file.is(name.begin - 1, "=") && file.is(name.begin - 2, "dtype")) return true;
  if (name.begin != open + 1) return false;
  return file.is(open - 1, "to") || file.is(open - 1, "type");
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (check.facts.is_nvidia_specific || check.facts.is_test) return;
  for (const Name& type : kTypes)
    for (const TokenIndex at : file.occurrences(type)) {
      const StatementIndex index = file.statement_at(at);
      if (index == kNoStatement || in_function_header(file, index)) continue;
      if (!makes_a_tensor(file, file.dotted(at)) || file.token_runs_on_rocm(at) == Truth::kNo)
        continue;
      const Scope scope(file, index);
      if (mentions(file, scope, fnuz_words())) continue;
      check.report(file.span(file.dotted(at)), Confidence::kMedium,
                   fmt::format("{} is not what gfx942 computes with: ask for the platform's type",
                               type.text()));
    }
}

}  // namespace

Rule fp8_dtype() {
  return {.code = "HW302",
          .name = "fp8-dtype",
          .summary = "the OCP fp8 type where a GPU may use fnuz",
          .relevance = Relevance::kFnuz,
          .triggers = {kTypes.begin(), kTypes.end()},
          .python = find};
}

}  // namespace hipwright::lint::rules
