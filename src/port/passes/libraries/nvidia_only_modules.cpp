// SPDX-License-Identifier: MIT
// Modules that exist for NVIDIA only; flash_attn and pynvml have passes of their own.
#include <fmt/format.h>

#include "port/pass.h"
#include "port/python/context.h"
#include "port/python/imported_names.h"
#include "port/python/lint_findings.h"

namespace hipwright::port::passes {

using namespace syntax::python;

namespace {

bool has_own_pass(std::string_view module) {
  return module == "pynvml" || module.starts_with("flash_attn");
}

void gate(PythonContext& context, StatementIndex index, std::string_view module,
          const std::string& message) {
  const File& file = context.file;
  const Span span = file.span(file.statements()[index].tokens);
  const std::vector<ImportedName> names = imported_names(file, index);
  std::string line;
  for (const ImportedName& each : names) line += each.name + " = ";
  if (names.empty() || !context.gate_statement(index, {line + "None"}, {"HP507", message})) {
    context.report("HP507", Severity::kError, span, message);
    return;
  }
  context.report(
      "HP507", Severity::kWarning, span,
      fmt::format("{} is NVIDIA-only: its names are None on ROCm, and code that uses them "
                  "needs an alternative there",
                  module));
}

void apply(PythonContext& context) {
  const File& file = context.file;
  if (!context.layout.imports("torch")) return;
  for (const lint::Reported& each : findings(context, "HW711")) {
    const TokenIndex at = token_at(file, each.diagnostic.span.begin);
    if (at == kNoToken || has_own_pass(file.text(at))) continue;
    gate(context, file.statement_at(at), file.text(at), each.diagnostic.message);
  }
}

}  // namespace

Pass nvidia_only_modules() {
  return {.codes = {"HP507"}, .python = apply};
}

}  // namespace hipwright::port::passes
