// SPDX-License-Identifier: MIT
// torch.compile modes that capture graphs: replaced by the default mode on ROCm until measured
// there.
#include <algorithm>

#include "port/pass.h"
#include "port/python/context.h"

namespace hipwright::port::passes {

using namespace syntax::python;
using syntax::Name;

namespace {

const Name kMode("mode"), kCompile("compile");

constexpr std::string_view kWhyMode =
    "# ROCm: the default mode until the other one is measured there; it captures graphs.";

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
  const Why why{"HP601", "this mode captures graphs; measure it on ROCm"};
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
      context.report("HP601", Severity::kNote, file.span(*value),
                     "the mode is not known here; start with \"default\" on ROCm");
    return;
  }
  gate_named_mode(context, *value, file.statement_at(at));
}

void apply(PythonContext& context) {
  const File& file = context.file;
  for (const TokenIndex at : file.occurrences(kMode))
    if (file.is(at + 1, "=")) gate_mode(context, at);
  gate_modes_in_dicts(context);
}

}  // namespace

Pass compile_mode() {
  return {.codes = {"HP601"}, .python = apply};
}

}  // namespace hipwright::port::passes
