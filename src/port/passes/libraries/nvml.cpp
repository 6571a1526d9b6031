// SPDX-License-Identifier: MIT
// pynvml: on ROCm its functions come from nvml_fallback, a module that the port adds.
#include <fmt/format.h>

#include "port/pass.h"
#include "port/python/context.h"
#include "port/python/imported_names.h"
#include "port/python/module_texts.h"

namespace hipwright::port::passes {

using namespace syntax::python;
using syntax::Name;

namespace {

const Name kNvml("pynvml");
constexpr std::string_view kModule = "nvml_fallback";
const Why kWhy{"HP503", "ROCm has no NVML"};

bool is_ours(std::string_view word) {
  return word.starts_with("nvml") && has_part(kModule, word);
}

void need(PythonContext& context, std::string_view word, Span span) {
  if (is_ours(word)) {
    context.needs.nvml.emplace(word);
    return;
  }
  context.needs.nvml.emplace();
  if (word.starts_with("nvml"))
    context.report(
        "HP504", Severity::kWarning, span,
        fmt::format("torch has no counterpart of {}, which raises NVMLError on ROCm; try amdsmi",
                    word));
}

void gate_import(PythonContext& context, StatementIndex index,
                 const std::vector<ImportedName>& names) {
  const File& file = context.file;
  const Span span = file.span(file.statements()[index].tokens);
  std::vector<std::string> lines;
  std::string words;
  for (const ImportedName& each : names) {
    if (each.module != "pynvml") return;  // import os, pynvml
    if (each.word.empty()) {
      lines.push_back(context.layout.import_as(context.source, kModule, each.name));
      continue;
    }
    words += (words.empty() ? "" : ", ") + each.word;
    if (each.name != each.word) words += " as " + each.name;
  }
  if (!words.empty())
    lines.push_back(fmt::format("from {} import {}",
                                context.layout.module_path(context.source, kModule), words));
  if (!context.gate_statement(index, lines, kWhy))
    return context.report("HP503", Severity::kWarning, span,
                          "several statements share this line; ROCm has no NVML");
  for (const ImportedName& each : names) {
    if (!each.word.empty()) {
      need(context, each.word, span);
      continue;
    }
    for (const TokenIndex at : members_of(file, each.name)) {
      need(context, file.text(at), file.span(at));
    }
    context.needs.nvml.emplace();
  }
}

// from pynvml import *
bool imports_all(const File& file, StatementIndex index) {
  const TokenRange tokens = file.statements()[index].tokens;
  return file.is(tokens.end - 1, "*");
}

void apply(PythonContext& context) {
  const File& file = context.file;
  if (!context.layout.imports("torch")) return;
  for (const TokenIndex at : file.occurrences(kNvml)) {
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || context.is_settled(at)) continue;
    const Statement& statement = file.statements()[index];
    const bool is_import =
        statement.kind == StatementKind::kImport || statement.kind == StatementKind::kFromImport;
    if (!is_import || at != statement.tokens.begin + 1) continue;
    if (file.guarded_by_try(index, "ImportError")) {
      context.report("HP503", Severity::kNote, file.span(at),
                     "pynvml can be imported on ROCm, but nvmlInit() fails there; catch that, too");
      continue;
    }
    const std::vector<ImportedName> names = imported_names(file, index);
    if (!names.empty()) {
      gate_import(context, index, names);
      continue;
    }
    if (!imports_all(file, index)) continue;
    std::set<std::string> used;
    for (TokenIndex word = 0; word < file.tokens().size(); ++word)
      if (file.tokens()[word].kind == Kind::kName && file.text(word).starts_with("nvml") &&
          !file.is(word - 1, "."))
        used.emplace(file.text(word));
    if (!context.gate_statement(
            index,
            {fmt::format("from {} import *", context.layout.module_path(context.source, kModule))},
            kWhy))
      continue;
    for (const std::string& word : used) need(context, word, file.span(at));
  }
}

}  // namespace

Pass nvml() {
  return {.codes = {"HP503", "HP504"}, .python = apply};
}

}  // namespace hipwright::port::passes
