// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "port/python/parts.h"

namespace hipwright::port {

using namespace syntax::python;
using syntax::Name;

namespace {

const Name kJax("jax");

bool is_done_elsewhere(std::string_view module) {
  return module == "pynvml" || module.starts_with("flash_attn");
}

void gate(PythonContext& context, StatementIndex index, std::string_view module,
          const std::string& message) {
  const File& file = context.file;
  const Span span = file.span(file.statements()[index].tokens);
  const std::vector<ImportedName> names = imported_names(file, index);
  std::string line;
  for (const ImportedName& each : names) line += each.name + " = ";
  if (names.empty() ||
      !context.gate_statement(index, {line + "None"}, {"HP507", Phase::kLibraries, message})) {
    context.tell("HP507", Severity::kError, span, message);
    return;
  }
  context.tell("HP507", Severity::kWarning, span,
               fmt::format("{} exists for NVIDIA only: its names are None on ROCm, and code that "
                           "uses them needs another way there",
                           module));
}

}  // namespace

void gate_imports(PythonContext& context) {
  const File& file = context.file;
  if (context.layout.imports("torch"))
    for (const lint::Reported& each : findings(context, "HW711")) {
      const TokenIndex at = token_at(file, each.diagnostic.span.begin);
      if (at == kNoToken || is_done_elsewhere(file.text(at))) continue;
      gate(context, file.statement_at(at), file.text(at), each.diagnostic.message);
    }
  if (!context.layout.imports("torch")) return;
  for (const TokenIndex at : file.occurrences(kJax)) {
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || at != file.statements()[index].tokens.begin + 1 ||
        imported_names(file, index).empty())
      continue;
    context.tell("HP003", Severity::kNote, file.span(at),
                 "the project has PyTorch and JAX: on ROCm use its PyTorch part; this one was not "
                 "ported");
    break;
  }
}

}  // namespace hipwright::port
