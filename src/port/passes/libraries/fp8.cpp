// SPDX-License-Identifier: MIT
// 8-bit floats: MI300 computes with the fnuz types, which have a different maximum.
#include <fmt/format.h>

#include "port/pass.h"
#include "port/python/context.h"
#include "port/python/imported_names.h"
#include "port/python/lint_findings.h"

namespace hipwright::port::passes {

using namespace syntax::python;

namespace {

// The linter reports the type once per statement, which may contain it twice: finfo(t).min,
// finfo(t).max.
void gate_fp8_type(PythonContext& context, const lint::Reported& found) {
  const File& file = context.file;
  const TokenIndex at = token_at(file, found.diagnostic.span.begin);
  const Why why{"HP509", "MI300 computes with the fnuz types"};
  bool is_gated = false;
  if (at != kNoToken && found.diagnostic.confidence != Confidence::kLow) {
    const std::string text = file.compact(file.dotted(at));
    const bool is_ocp = text == "torch.float8_e4m3fn" || text == "torch.float8_e5m2";
    const TokenRange tokens = file.statements()[file.statement_at(at)].tokens;
    for (TokenIndex each = at; is_ocp && each < tokens.end; ++each) {
      if (file.tokens()[each].kind != Kind::kName || file.text(each) != "torch") continue;
      const TokenRange name = file.dotted(each);
      if (name.begin != each || file.compact(name) != text) continue;
      const bool is_done = context.gate_value(name, fmt::format("rocm_fp8_dtype({})", text), why,
                                              {"rocm_fp8_dtype"});
      if (each == at && !is_done) break;
      is_gated = true;
    }
  }
  if (!is_gated)
    context.report("HP509", Severity::kNote, found.diagnostic.span, found.diagnostic.message);
}

// The linter reports one number per statement: clamp(-448.0, 448.0) has two.
void gate_fp8_max(PythonContext& context, const lint::Reported& found) {
  const File& file = context.file;
  const TokenIndex at = token_at(file, found.diagnostic.span.begin);
  const Why why{"HP509", "the largest value depends on the GPU"};
  bool is_gated = at != kNoToken && found.diagnostic.confidence != Confidence::kLow;
  if (is_gated) {
    const TokenRange tokens = file.statements()[file.statement_at(at)].tokens;
    for (TokenIndex each = tokens.begin; each < tokens.end; ++each)
      if (file.tokens()[each].kind == Kind::kNumber && file.text(each) == file.text(at))
        is_gated &= context.gate_value({each, each + 1}, "rocm_fp8_max()", why, {"rocm_fp8_max"});
  }
  if (!is_gated)
    context.report("HP509", Severity::kNote, found.diagnostic.span, found.diagnostic.message);
}

void apply(PythonContext& context) {
  for (const lint::Reported& each : findings(context, "HW302", Tests::kAreTests))
    gate_fp8_type(context, each);
  for (const lint::Reported& each : findings(context, "HW301", Tests::kAreTests))
    gate_fp8_max(context, each);
}

}  // namespace

Pass fp8() {
  return {.codes = {"HP509"}, .python = apply};
}

}  // namespace hipwright::port::passes
