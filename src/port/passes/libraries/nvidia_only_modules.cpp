// SPDX-License-Identifier: MIT
// Modules that most ROCm machines lack: tried where a ROCm build is known, otherwise left
// out. flash_attn and pynvml have passes of their own.
#include <map>
#include <set>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/python/context.h"
#include "port/python/imported_names.h"
#include "port/python/lint_findings.h"
#include "port/python/rocm_modules.h"

namespace hipwright::port::passes {

using namespace syntax::python;

namespace {

bool has_own_pass(std::string_view module) {
  return module == "pynvml" || module.starts_with("flash_attn");
}

// The names of an import as one statement: `import a, b.c as d`, `from a import b, c as d`.
std::string import_statement(const std::vector<ImportedName>& names) {
  std::string words;
  for (const ImportedName& each : names) {
    const std::string& word = each.word.empty() ? each.module : each.word;
    words += (words.empty() ? "" : ", ") + word;
    const bool is_plain = each.word.empty()
                              ? each.name == word.substr(0, word.find('.')) || each.name == word
                              : each.name == word;
    if (!is_plain) words += " as " + each.name;
  }
  return names[0].word.empty() ? "import " + words
                               : fmt::format("from {} import {}", names[0].module, words);
}

std::string none_for(const std::vector<ImportedName>& names) {
  std::string line;
  for (const ImportedName& each : names) line += each.name + " = ";
  return line + "None";
}

// ROCm's branch: other modules of the statement are imported as before, those that may exist are
// tried, and the names of the rest are None.
std::vector<std::string> lines_on_rocm(const std::vector<ImportedName>& names,
                                       const std::set<std::string>& for_nvidia) {
  std::vector<ImportedName> kept, tried, left_out;
  for (const ImportedName& each : names) {
    const bool is_for_nvidia = for_nvidia.contains(each.module.substr(0, each.module.find('.')));
    (!is_for_nvidia                             ? kept
     : find_rocm_module(each.module) != nullptr ? tried
                                                : left_out)
        .push_back(each);
  }
  std::vector<std::string> lines;
  if (!kept.empty()) lines.push_back(import_statement(kept));
  if (!tried.empty()) {
    lines.insert(lines.end(), {"try:", "    " + import_statement(tried),
                               "except (ImportError, OSError):", "    " + none_for(tried)});
  }
  if (!left_out.empty()) lines.push_back(none_for(left_out));
  return lines;
}

void gate(PythonContext& context, StatementIndex index, const std::set<std::string>& modules,
          const std::string& message) {
  const File& file = context.file;
  const Span span = file.span(file.statements()[index].tokens);
  const std::vector<ImportedName> names = imported_names(file, index);
  const RocmModule* known = nullptr;
  std::string nvidia_only;
  for (const std::string& each : modules) {
    if (const RocmModule* found = find_rocm_module(each))
      known = found;
    else
      nvidia_only = each;
  }
  if (names.empty() ||
      !context.gate_statement(index, lines_on_rocm(names, modules), {"HP507", message})) {
    context.report("HP507", Severity::kError, span, message);
    return;
  }
  if (known != nullptr)
    context.report(
        "HP507", Severity::kWarning, span,
        fmt::format("{} is tried on ROCm ({}); its names are None if the import fails, and code "
                    "that uses them needs an alternative there",
                    known->name, known->source));
  // A package of the project may have parts that need a module for NVIDIA: those are meant.
  for (const ImportedName& each : names)
    if (each.module.starts_with(nvidia_only + '.')) nvidia_only = each.module;
  if (!nvidia_only.empty())
    context.report(
        "HP507", Severity::kWarning, span,
        fmt::format("{} is NVIDIA-only: its names are None on ROCm, and code that uses them "
                    "needs an alternative there",
                    nvidia_only));
}

void apply(PythonContext& context) {
  const File& file = context.file;
  if (!context.layout.imports("torch")) return;
  struct Found {
    std::set<std::string> modules;
    std::string message;
  };
  std::map<StatementIndex, Found> found;
  for (const lint::Reported& each : findings(context, "HW711")) {
    const TokenIndex at = token_at(file, each.diagnostic.span.begin);
    if (at == kNoToken || has_own_pass(file.text(at))) continue;
    Found& here = found[file.statement_at(at)];
    here.modules.emplace(file.text(at));
    here.message = each.diagnostic.message;
  }
  for (const auto& [index, each] : found) gate(context, index, each.modules, each.message);
}

}  // namespace

Pass nvidia_only_modules() {
  return {.codes = {"HP507"}, .python = apply};
}

}  // namespace hipwright::port::passes
