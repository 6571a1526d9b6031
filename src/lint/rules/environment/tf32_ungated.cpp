// SPDX-License-Identifier: MIT
// TF32 is enabled on all platforms, but on ROCm the switch alone has no effect.
//
// ## What it finds
//
// `torch.backends.cuda.matmul.allow_tf32 = True`, `torch.backends.cudnn.allow_tf32 = True` and
// `torch.set_float32_matmul_precision("high")` without a platform check around them; in Triton
// kernels, `tl.dot(…, input_precision="tf32x3")`, which Triton's AMD backend rejects, and "tf32",
// which it rejects for all targets but gfx942.
//
// ## Why it matters
//
// TF32 is a format of NVIDIA's matrix units. Among AMD GPUs, gfx942 has a similar format (xf32),
// which hipBLASLt uses when `HIPBLASLT_ALLOW_TF32=1` is set; gfx950 and others have none. Speed and
// rounding that were tuned with the switch do not carry over.
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
// - One of the program's own settings requests TF32 by name.
// - The program does not depend on it: ROCm accepts the switch, and it does no harm.
#include "lint/python/platform_choice.h"
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

// if options.enable_tf32: …: requested by a setting.
bool is_asked_for(const File& file, StatementIndex index) {
  const auto all = file.statements();
  for (StatementIndex at = all[index].parent; at != kNoStatement; at = all[at].parent)
    if ((all[at].kind == StatementKind::kIf || all[at].kind == StatementKind::kElif) &&
        has_word(file, all[at].tokens, "tf32"))
      return true;
  return false;
}

// tl.dot(a, b, input_precision="tf32x3"), three TF32 products for one float product, and "tf32".
void find_in_kernels(PythonCheck& check) {
  const File& file = check.file;
  for (const TokenIndex at : file.occurrences(kInputPrecision)) {
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || !file.is(at + 1, "=") ||
        file.tokens()[at + 2].kind != Kind::kString)
      continue;
    const std::string precision = file.string_value(at + 2);
    if (precision != "tf32x3" && precision != "tf32") continue;
    if (file.token_runs_on_rocm(at) == Truth::kNo || in_function_header(file, index) ||
        mentions(file, FunctionScope(file, index), platform_questions()))
      continue;
    check.report(file.span(at + 2), Confidence::kMedium,
                 precision == "tf32"
                     ? "Triton's AMD backend supports tf32 on gfx942 only; choose the precision by "
                       "platform"
                     : "Triton's AMD backend does not support tf32x3; choose the precision by "
                       "platform");
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
      if (mentions(file, FunctionScope(file, index), platform_questions())) continue;
      if (is_asked_for(file, index)) continue;
      check.report(file.span(file.dotted(at)), Confidence::kLow,
                   "on ROCm this takes effect only on gfx942 with HIPBLASLT_ALLOW_TF32=1");
    }
}

}  // namespace

Rule tf32_ungated() {
  return {.code = "HW712",
          .name = "tf32-ungated",
          .summary = "TF32 enabled without a platform check",
          .severity = Severity::kNote,
          .triggers = {kAllow, kPrecision, kInputPrecision},
          .python = find};
}

}  // namespace hipwright::lint::rules
