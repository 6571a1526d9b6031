// SPDX-License-Identifier: MIT
// TF32 is switched on for all platforms, and on ROCm the switch alone does nothing.
//
// ## What it finds
//
// `torch.backends.cuda.matmul.allow_tf32 = True`, `torch.backends.cudnn.allow_tf32 = True` and
// `torch.set_float32_matmul_precision("high")` without a question about the platform around them;
// in Triton's kernels `tl.dot(…, input_precision="tf32x3")`, which its compiler for AMD refuses.
//
// ## Why it matters
//
// TF32 is a format of NVIDIA's matrix units. Of AMD's GPUs gfx942 has a like format (xf32), used by
// hipBLASLt when `HIPBLASLT_ALLOW_TF32=1` is set; gfx950 and others have none. Speed and rounding
// that were tuned with the switch do not carry over.
//
// ## Example
//
// ```python
// torch.backends.cuda.matmul.allow_tf32 = True
// ```
//
// ## Use instead
//
// ```python
// if torch.version.hip is None:
//     torch.backends.cuda.matmul.allow_tf32 = True
// ```
//
// ## When it is not a bug
//
// - A switch of the program's own asks for TF32 by name.
// - The program does not depend on it: the switch is accepted on ROCm and does no harm.
#include "lint/python/around.h"
#include "lint/rule.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kAllow("allow_tf32");
const Name kPrecision("set_float32_matmul_precision");
const Name kInputPrecision("input_precision");

bool switches_on(const File& file, TokenIndex at) {
  if (file.is(at, kAllow))
    return at > 0 && file.is(at - 1, ".") && file.is(at + 1, "=") && file.is(at + 2, "True");
  return file.is(at + 1, "(") && file.tokens()[at + 2].kind == Kind::kString &&
         file.string_value(at + 2) == "high";
}

// if options.enable_tf32: …: somebody wants it.
bool is_asked_for(const File& file, StatementIndex index) {
  const auto all = file.statements();
  for (StatementIndex at = all[index].parent; at != kNoStatement; at = all[at].parent)
    if ((all[at].kind == StatementKind::kIf || all[at].kind == StatementKind::kElif) &&
        has_word(file, all[at].tokens, "tf32"))
      return true;
  return false;
}

// tl.dot(a, b, input_precision="tf32x3"): three products in TF32 for one in float.
void find_in_kernels(PythonCheck& check) {
  const File& file = check.file;
  for (const TokenIndex at : file.occurrences(kInputPrecision)) {
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || !file.is(at + 1, "=") ||
        file.tokens()[at + 2].kind != Kind::kString || file.string_value(at + 2) != "tf32x3")
      continue;
    if (file.token_runs_on_rocm(at) == Truth::kNo || in_function_header(file, index) ||
        mentions(file, Scope(file, index), platform_questions()))
      continue;
    check.report(file.span(at + 2), Confidence::kMedium,
                 "Triton's compiler for AMD has no tf32x3: choose the precision by the platform");
  }
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (check.facts.is_nvidia_specific || check.facts.is_test) return;
  find_in_kernels(check);
  for (const Name& name : {kAllow, kPrecision})
    for (const TokenIndex at : file.occurrences(name)) {
      const StatementIndex index = file.statement_at(at);
      if (index == kNoStatement || !switches_on(file, at)) continue;
      if (file.runs_on_rocm(index) == Truth::kNo) continue;
      if (mentions(file, Scope(file, index), platform_questions())) continue;
      if (is_asked_for(file, index)) continue;
      check.report(file.span(file.dotted(at)), Confidence::kLow,
                   "on ROCm this has an effect only on gfx942 with HIPBLASLT_ALLOW_TF32=1");
    }
}

}  // namespace

Rule tf32_ungated() {
  return {.code = "HW712",
          .name = "tf32-ungated",
          .summary = "TF32 switched on without asking for the platform",
          .severity = Severity::kNote,
          .triggers = {kAllow, kPrecision, kInputPrecision},
          .python = find};
}

}  // namespace hipwright::lint::rules
