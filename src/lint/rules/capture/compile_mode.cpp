// SPDX-License-Identifier: MIT
// A torch.compile mode that captures graphs is used on all platforms.
//
// ## What it finds
//
// `torch.compile(…, mode="reduce-overhead")` and `mode="max-autotune"` without a platform check
// around them. With low confidence, such a mode stored for later: `mode =
// os.environ.get("MODE", "reduce-overhead")`, `{"mode": "max-autotune"}`.
//
// ## Why it matters
//
// Both modes capture graphs, and max-autotune tries many kernels. On ROCm this is much slower than
// the default mode in some models and fine in others: measure it there before using it.
//
// ## Example
//
// ```python
// model = torch.compile(model, mode="reduce-overhead")
// ```
//
// ## Use instead
//
// ```python
// mode = "default" if torch.version.hip else "reduce-overhead"
// model = torch.compile(model, mode=mode)
// ```
//
// ## When it is not a bug
//
// - The mode was measured on ROCm and is faster there.
// - The mode is "max-autotune-no-cudagraphs", which captures nothing.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "lint/python/platform_choice.h"
#include "lint/rule.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kCompile("compile");
constexpr std::array<std::string_view, 2> kModes = {"reduce-overhead", "max-autotune"};

bool records_graphs(std::string_view mode) {
  return mode == "reduce-overhead" || mode == "max-autotune";
}

void report(PythonCheck& check, TokenIndex mode, Confidence confidence) {
  check.report(check.file.span(mode), confidence,
               fmt::format("\"{}\" captures graphs, which can be much slower on ROCm; use the "
                           "default mode there unless you have measured it",
                           check.file.string_value(mode)));
}

// mode = os.environ.get("MODE", "reduce-overhead"), options["mode"] = "max-autotune", {"mode":
// "reduce-overhead"}: the value is passed to torch.compile later.
bool is_default(const File& file, StatementIndex index, TokenIndex text) {
  if (file.is(text - 1, ":"))
    return file.tokens()[text - 2].kind == Kind::kString && file.string_value(text - 2) == "mode";
  // dict(mode="reduce-overhead"), def compiled(mode="reduce-overhead")
  if (file.is(text - 1, "=") && file.is(text - 2, "mode") && file.enclosing(text) != kNoToken)
    return true;
  const Statement& statement = file.statements()[index];
  if (statement.kind != StatementKind::kSimple) return false;
  TokenIndex equals = statement.tokens.begin;
  while (equals < text && !file.is(equals, "=")) equals = file.skip(equals);
  if (equals >= text || !has_word(file, {statement.tokens.begin, equals}, "mode")) return false;
  if (equals + 1 == text) return true;
  const TokenIndex open = file.enclosing(text);
  return open != kNoToken && open > equals && file.is(open, "(") && file.is(text - 1, ",") &&
         (file.is(open - 1, "get") || file.is(open - 1, "getenv"));
}

// A question elsewhere in the file says nothing about code outside functions.
bool is_asked_nearby(const File& file, StatementIndex index) {
  const FunctionScope scope(file, index);
  return scope.is_function() && mentions(file, scope, platform_questions());
}

void find_defaults(PythonCheck& check, const std::vector<TokenIndex>& reported) {
  const File& file = check.file;
  const auto is_reported = [&](TokenIndex at) {
    return std::ranges::find(reported, at) != reported.end();
  };
  if (std::ranges::none_of(kModes, [&](std::string_view mode) {
        return file.text().find(mode) != std::string_view::npos;
      }))
    return;
  for (TokenIndex at = 2; at < file.tokens().size(); ++at) {
    if (file.tokens()[at].kind != Kind::kString || !records_graphs(file.string_value(at))) continue;
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || is_reported(at) || !is_default(file, index, at) ||
        file.token_runs_on_rocm(at) == Truth::kNo || is_asked_nearby(file, index))
      continue;
    report(check, at, Confidence::kLow);
  }
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (check.facts.is_nvidia_specific) return;
  std::vector<TokenIndex> reported;
  for (const TokenIndex at : file.occurrences(kCompile)) {
    if (!file.is(at + 1, "(") || file.compact(file.dotted(at)) != "torch.compile") continue;
    const auto mode = file.keyword_argument(at + 1, "mode");
    if (!mode || mode->size() != 1 || file.tokens()[mode->begin].kind != Kind::kString) continue;
    if (!records_graphs(file.string_value(mode->begin))) continue;
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || file.token_runs_on_rocm(at) == Truth::kNo) continue;
    reported.push_back(mode->begin);
    if (is_asked_nearby(file, index)) continue;
    report(check, mode->begin, check.facts.is_test ? Confidence::kLow : Confidence::kMedium);
  }
  if (!check.facts.is_test) find_defaults(check, reported);
}

}  // namespace

Rule compile_mode() {
  return {.code = "HW611",
          .name = "compile-mode",
          .summary = "torch.compile mode that captures graphs on all platforms",
          .triggers = {kCompile},
          .words = {kModes[0], kModes[1]},
          .python = find};
}

}  // namespace hipwright::lint::rules
