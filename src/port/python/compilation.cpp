// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/python/parts.h"

namespace hipwright::port {

using namespace syntax::python;
using syntax::Name;

namespace {

const Name kMode("mode"), kCompile("compile");
const std::array kSwitches = {Name("cudagraphs"), Name("cudagraph_trees"), Name("memory_planning")};
const Name kBackends("max_autotune_gemm_backends");

constexpr std::string_view kWhyMode =
    "# ROCm: the default mode until the other one was measured there; it records graphs.";

// torch.compile(…, mode=X), partial(torch.compile, mode=X)
bool is_compilation(const File& file, TokenIndex open) {
  if (open == 0) return false;
  const std::string callee = file.compact(file.dotted(open - 1));
  if (callee == "torch.compile" || callee.ends_with(".compile")) return true;
  for (const TokenRange& argument : file.positional_arguments(open))
    if (file.compact(argument) == "torch.compile") return true;
  return false;
}

// Are these the keyword arguments of a compilation: torch.compile(f, **{…}), or `words = dict(…)`
// and torch.compile(f, **words)? `open`: the bracket of the dict.
bool is_passed_on(const File& file, TokenIndex open) {
  TokenIndex first = open;
  if (file.is(open, "(")) {
    if (open == 0 || !file.is(open - 1, "dict")) return false;
    first = open - 1;
  }
  if (first == 0) return false;
  if (file.is(first - 1, "**")) {
    const TokenIndex around = file.enclosing(first);
    return around != kNoToken && file.is(around, "(") && is_compilation(file, around);
  }
  if (!file.is(first - 1, "=") || first < 2 || file.tokens()[first - 2].kind != Kind::kName)
    return false;
  const std::string_view name = file.text(first - 2);
  const auto compiles = file.occurrences(kCompile);
  return std::any_of(compiles.begin(), compiles.end(), [&](TokenIndex at) {
    if (!file.is(at + 1, "(") || !is_compilation(file, at + 1)) return false;
    for (const TokenRange& argument : file.positional_arguments(at + 1))
      if (argument.size() == 2 && file.is(argument.begin, "**") &&
          file.is(argument.begin + 1, name))
        return true;
    return false;
  });
}

void gate_named_mode(PythonContext& context, TokenRange value, StatementIndex statement) {
  const File& file = context.file;
  const std::string mode = file.string_value(value.begin);
  if (mode != "reduce-overhead" && mode != "max-autotune") return;
  const Why why{"HP601", Phase::kCompile, "the mode records graphs: measure it on ROCm"};
  if (context.gate_value(value, "\"default\"", why))
    context.put_before(statement, {std::string(kWhyMode)}, why);
}

// {"mode": "max-autotune"}
void gate_modes_in_dicts(PythonContext& context) {
  const File& file = context.file;
  if (!file.has(kCompile)) return;
  const auto tokens = file.tokens();
  for (TokenIndex at = 0; at + 2 < tokens.size(); ++at) {
    if (tokens[at].kind != Kind::kString || !file.is(at + 1, ":") ||
        tokens[at + 2].kind != Kind::kString || file.string_value(at) != "mode")
      continue;
    const TokenIndex open = file.enclosing(at);
    if (open != kNoToken && file.is(open, "{") && is_passed_on(file, open) &&
        !context.is_settled(at))
      gate_named_mode(context, {at + 2, at + 3}, file.statement_at(at));
  }
}

void gate_mode(PythonContext& context, TokenIndex at) {
  const File& file = context.file;
  const TokenIndex open = file.enclosing(at);
  if (open == kNoToken || !file.is(open, "(") || context.is_settled(at) ||
      !(is_compilation(file, open) || is_passed_on(file, open)))
    return;
  const auto value = file.keyword_argument(open, "mode");
  if (!value || value->begin != at + 2) return;
  const bool is_text = value->size() == 1 && file.tokens()[value->begin].kind == Kind::kString;
  if (!is_text) {
    if (file.compact(file.dotted(open - 1)) == "torch.compile" && !file.is(value->begin, "None"))
      context.tell("HP601", Severity::kNote, file.span(*value),
                   "which mode this is cannot be seen here: on ROCm begin with \"default\"");
    return;
  }
  gate_named_mode(context, *value, file.statement_at(at));
}

// import torch._inductor.config as config; from torch._inductor import config as c
bool is_inductors(const File& file, std::string_view name) {
  for (StatementIndex i = 0; i < file.statements().size(); ++i) {
    const StatementKind kind = file.statements()[i].kind;
    if (kind != StatementKind::kImport && kind != StatementKind::kFromImport) continue;
    for (const ImportedName& each : imported_names(file, i))
      if (each.name == name && each.module.find("_inductor") != std::string::npos) return true;
  }
  return false;
}

// The right side of `config.triton.cudagraphs = value`.
TokenRange assigned(const File& file, TokenIndex at) {
  if (at == 0 || !file.is(at - 1, ".") || !file.is(at + 1, "=")) return {};
  const std::string name = file.compact(file.dotted(at));
  if (name.find("_inductor") == std::string::npos &&
      !is_inductors(file, name.substr(0, name.find('.'))))
    return {};
  return {at + 2, file.statements()[file.statement_at(at)].tokens.end};
}

void gate_switch(PythonContext& context, TokenIndex at) {
  const File& file = context.file;
  const TokenRange value = assigned(file, at);
  if (value.empty() || file.is(value.begin, "False") || context.is_settled(at)) return;
  context.gate_value(value, "False",
                     {"HP602", Phase::kCompile, "off on ROCm until it was tried there"});
}

bool takes_gemms_from_rocm(const std::string& backends) {
  return backends.find("ATEN") != std::string::npos &&
         backends.find("CUTLASS") == std::string::npos;
}

void gate_backends(PythonContext& context, TokenRange value) {
  const File& file = context.file;
  if (value.size() != 1 || file.tokens()[value.begin].kind != Kind::kString ||
      takes_gemms_from_rocm(file.string_value(value.begin)) || context.is_settled(value.begin))
    return;
  context.gate_value(value, "\"ATEN\"",
                     {"HP603", Phase::kCompile, "ATEN has hipBLASLt, CUTLASS is NVIDIA's"});
}

// options={"triton.cudagraphs": True}
void gate_options(PythonContext& context) {
  const File& file = context.file;
  const auto tokens = file.tokens();
  for (TokenIndex at = 0; at + 2 < tokens.size(); ++at) {
    if (tokens[at].kind != Kind::kString || !file.is(at + 1, ":")) continue;
    const TokenIndex open = file.enclosing(at);
    if (open == kNoToken || !file.is(open, "{")) continue;
    const std::string_view text = file.text(at);
    const bool is_switch = text.find("cudagraph") != std::string_view::npos ||
                           text.find("memory_planning") != std::string_view::npos;
    if (is_switch && text.find("triton.") != std::string_view::npos && file.is(at + 2, "True") &&
        !context.is_settled(at))
      context.gate_value({at + 2, at + 3}, "False", {"HP602", Phase::kCompile});
    if (text.find("max_autotune_gemm_backends") != std::string_view::npos)
      gate_backends(context, {at + 2, at + 3});
  }
}

}  // namespace

void gate_compilation(PythonContext& context) {
  const File& file = context.file;
  for (const TokenIndex at : file.occurrences(kMode))
    if (file.is(at + 1, "=")) gate_mode(context, at);
  gate_modes_in_dicts(context);
  for (const Name& each : kSwitches)
    for (const TokenIndex at : file.occurrences(each)) gate_switch(context, at);
  for (const TokenIndex at : file.occurrences(kBackends))
    if (const TokenRange value = assigned(file, at); !value.empty()) gate_backends(context, value);
  if (file.text().find("triton.") != std::string_view::npos ||
      file.text().find("max_autotune_gemm_backends\"") != std::string_view::npos)
    gate_options(context);
}

}  // namespace hipwright::port
