// SPDX-License-Identifier: MIT
// flash_attn: on ROCm its functions come from attention_fallback, a module that the port adds.
#include <fmt/format.h>

#include "port/pass.h"
#include "port/python/context.h"
#include "port/python/imported_names.h"
#include "port/python/module_texts.h"

namespace hipwright::port::passes {

using namespace syntax::python;
using syntax::Name;

namespace {

const Name kFlash("flash_attn");
const Name kInterface("flash_attn_interface");
constexpr std::string_view kModule = "attention_fallback";
const Why kWhy{"HP501", "most ROCm machines lack flash_attn"};

bool is_ours(std::string_view word) {
  return word.starts_with("flash_attn_") && has_part(kModule, word);
}

void report_missing(PythonContext& context, Span span, std::string_view what) {
  context.report("HP502", Severity::kWarning, span,
                 fmt::format("no replacement for {}; use ROCm's flash_attn, or other code", what));
}

// from flash_attn import flash_attn_func as f, X
void gate_names(PythonContext& context, StatementIndex index,
                const std::vector<ImportedName>& names) {
  const File& file = context.file;
  const Span span = file.span(file.statements()[index].tokens);
  std::string ours, others;
  for (const ImportedName& each : names) {
    std::string& list = is_ours(each.word) ? ours : others;
    list += (list.empty() ? "" : ", ") + each.word;
    if (each.name != each.word) list += " as " + each.name;
    if (!is_ours(each.word)) report_missing(context, span, "flash_attn's " + each.word);
  }
  if (ours.empty()) return;
  std::vector<std::string> lines = {
      fmt::format("from {} import {}", context.layout.module_path(context.source, kModule), ours)};
  if (!others.empty()) lines.push_back(fmt::format("from {} import {}", names[0].module, others));
  if (!context.gate_statement(index, lines, kWhy))
    return context.report("HP501", Severity::kWarning, span,
                          "several statements share this line; import these functions from "
                          "attention_fallback on ROCm");
  for (const ImportedName& each : names)
    if (is_ours(each.word)) context.needs.attention.insert(each.word);
}

// import flash_attn, import flash_attn.flash_attn_interface as f
void gate_module(PythonContext& context, StatementIndex index, const ImportedName& imported) {
  const File& file = context.file;
  const Span span = file.span(file.statements()[index].tokens);
  bool is_whole = true;
  std::set<std::string> used;
  for (const TokenIndex at : members_of(file, imported.name)) {
    // flash_attn.flash_attn_interface.flash_attn_func
    const std::string_view word = file.text(at);
    if (is_ours(word)) {
      used.emplace(word);
    } else {
      is_whole = false;
      report_missing(context, file.span(at), word);
    }
  }
  if (!is_whole || used.empty()) return;
  const std::string line = context.layout.import_as(context.source, kModule, imported.name);
  if (!context.gate_statement(index, {line}, kWhy))
    return context.report("HP501", Severity::kWarning, span,
                          "several statements share this line; import attention_fallback on ROCm");
  context.needs.attention.insert(used.begin(), used.end());
}

void apply(PythonContext& context) {
  const File& file = context.file;
  const bool is_own = context.layout.owns("flash_attn");
  for (const TokenIndex at : file.occurrences(kFlash)) {
    if (is_own) break;
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || at != file.statements()[index].tokens.begin + 1) continue;
    const std::vector<ImportedName> names = imported_names(file, index);
    const Statement& statement = file.statements()[index];
    const bool is_import =
        statement.kind == StatementKind::kImport || statement.kind == StatementKind::kFromImport;
    if (!is_import || context.is_settled(at)) continue;
    const Span span = file.span(file.statements()[index].tokens);
    if (file.guarded_by_try(index, "ImportError")) {
      context.report("HP501", Severity::kNote, span,
                     "the project already handles a missing flash_attn; ROCm takes that path");
      continue;
    }
    if (names.empty()) {  // from flash_attn import *
      report_missing(context, span, "a wildcard import of flash_attn");
      continue;
    }
    const bool is_interface =
        names[0].module == "flash_attn" || names[0].module == "flash_attn.flash_attn_interface";
    if (!names[0].word.empty() && is_interface)
      gate_names(context, index, names);
    else if (names.size() == 1 && is_interface)
      gate_module(context, index, names[0]);
    else
      report_missing(context, span, names[0].module);
  }
  if (context.layout.owns("flash_attn_interface")) return;
  for (const TokenIndex at : file.occurrences(kInterface)) {
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || at != file.statements()[index].tokens.begin + 1 ||
        imported_names(file, index).empty() || context.is_settled(at) ||
        file.guarded_by_try(index, "ImportError"))
      continue;
    report_missing(context, file.span(at), "flash_attn_interface, which is for Hopper GPUs");
  }
}

}  // namespace

Pass flash_attention() {
  return {.codes = {"HP501", "HP502"}, .python = apply};
}

}  // namespace hipwright::port::passes
