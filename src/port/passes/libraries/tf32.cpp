// SPDX-License-Identifier: MIT
// TF32 is a format of NVIDIA's matrix units.
#include "port/pass.h"
#include "port/python/context.h"

namespace hipwright::port::passes {

using namespace syntax::python;
using syntax::Name;

namespace {

const Name kAllow("allow_tf32"), kPrecision("set_float32_matmul_precision");

bool switches_tf32_on(const File& file, TokenIndex at) {
  if (file.is(at, kAllow))
    return at > 0 && file.is(at - 1, ".") && file.is(at + 1, "=") && !file.is(at + 2, "False");
  return file.is(at + 1, "(") && file.tokens()[at + 2].kind == Kind::kString &&
         file.string_value(at + 2) == "high";
}

void gate_tf32(PythonContext& context, TokenIndex at) {
  const File& file = context.file;
  const StatementIndex index = file.statement_at(at);
  if (index == kNoStatement || !switches_tf32_on(file, at) || context.is_settled(at)) return;
  const Why why{"HP506", "TF32 is a format of NVIDIA's matrix units"};
  const Statement& statement = file.statements()[index];
  const bool is_whole =
      statement.kind == StatementKind::kSimple && file.dotted(at).begin == statement.tokens.begin;
  if (is_whole && context.gate_statement(index, {}, why)) return;
  if (file.is(at, kAllow) && context.gate_value({at + 2, statement.tokens.end}, "False", why))
    return;
  context.report("HP506", Severity::kNote, file.span(file.dotted(at)),
                 "on ROCm this takes effect only on gfx942 with HIPBLASLT_ALLOW_TF32=1");
}

void apply(PythonContext& context) {
  for (const Name& name : {kAllow, kPrecision})
    for (const TokenIndex at : context.file.occurrences(name)) gate_tf32(context, at);
}

}  // namespace

Pass tf32() {
  return {.codes = {"HP506"}, .python = apply};
}

}  // namespace hipwright::port::passes
