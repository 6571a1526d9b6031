// SPDX-License-Identifier: MIT
// The largest fnuz number is taken as the largest value of quantised data.
//
// ## What it finds
//
// `torch.finfo(torch.float8_e4m3fnuz).max`, and `torch.finfo(dtype).max` of an fp8 type that may
// be fnuz, where quantised values are scaled or clamped to it.
//
// ## Why it matters
//
// The largest `float8_e4m3fnuz` is 240, but vLLM and the libraries that share its checkpoints scale
// to 224 on fnuz: that is OCP's 448 after the factor of two between the two biases. With 240,
// scales do not fit those that were made elsewhere, and accuracy suffers.
//
// ## Example
//
// ```python
// fp8_max = torch.finfo(torch.float8_e4m3fnuz).max
// ```
//
// ## Use instead
//
// ```python
// fp8_max = 224.0 if current_platform.is_fp8_fnuz() else torch.finfo(dtype).max
// ```
//
// ## When it is not a bug
//
// - The program chooses 224 for fnuz elsewhere in the same function.
// - The limit is that of the format itself: a test, a conversion, a saturation.
#include <algorithm>

#include <fmt/format.h>

#include "lint/python/around.h"
#include "lint/rule.h"
#include "syntax/python/flow.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kFinfo("finfo");
const Name kMax("max");

// The type of finfo(TYPE) whose max is used: finfo(TYPE).max, or info = finfo(TYPE) and info.max
// later in the function.
TokenRange type_of_max(const File& file, TokenIndex finfo) {
  if (!file.is(finfo + 1, "(")) return {};
  const TokenIndex close = file.partner(finfo + 1);
  if (close == kNoToken || close + 2 >= file.tokens().size()) return {};
  const TokenRange type{finfo + 2, close};
  if (file.is(close + 1, ".")) return file.is(close + 2, kMax) ? type : TokenRange{};
  const StatementIndex index = file.statement_at(finfo);
  if (index == kNoStatement || file.tokens()[close + 1].kind != Kind::kNewline) return {};
  const TokenIndex name = file.statements()[index].tokens.begin;
  if (!file.is(name + 1, "=")) return {};
  const Scope scope(file, index);
  if (!scope.is_function()) return {};
  for (const TokenIndex max : file.occurrences(kMax))
    if (max > close && file.is(max - 1, ".") && file.text(max - 2) == file.text(name) &&
        !file.is(max + 1, "(") && scope.contains(max))
      return type;
  return {};
}

// "dtype" of a function for fp8.
bool is_dtype_of_fp8_function(const File& file, StatementIndex index, TokenRange type) {
  return type.size() == 1 && file.text(type.begin).ends_with("dtype") &&
         function_name(file, index).find("fp8") != std::string_view::npos;
}

bool chooses_224(const File& file, const Scope& scope) {
  for (TokenIndex at = 0; at < file.tokens().size(); ++at)
    if (file.tokens()[at].kind == Kind::kNumber && file.text(at).starts_with("224") &&
        scope.contains(at))
      return true;
  return false;
}

// dtype = torch.float8_e4m3fn, and nothing else: always OCP.
bool is_always_ocp(const File& file, TokenRange type) {
  if (type.size() != 1) return false;
  const std::vector<Binding> all = bindings(file, variable_at(file, type.begin));
  return !all.empty() && std::ranges::all_of(all, [&](const Binding& binding) {
    return binding.value.size() >= 1 && file.compact(binding.value).ends_with("float8_e4m3fn");
  });
}

// assert torch.finfo(TYPE).max == 240
bool is_checked(const File& file, StatementIndex index, TokenRange type) {
  const TokenIndex after = type.end + 3;
  return file.is(file.statements()[index].tokens.begin, "assert") || file.is(after, "==") ||
         file.is(after, "!=");
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (is_for_others(check) || check.facts.is_test) return;
  for (const TokenIndex at : file.occurrences(kFinfo)) {
    const TokenRange type = type_of_max(file, at);
    if (type.empty() || file.token_runs_on_rocm(at) == Truth::kNo) continue;
    const bool is_fnuz = has_word(file, type, "fnuz");
    const StatementIndex index = file.statement_at(at);
    const bool may_be = has_word(file, type, "fp8") || has_word(file, type, "float8") ||
                        is_dtype_of_fp8_function(file, index, type);
    if (!is_fnuz && (!may_be || has_word(file, type, "float8_e") || has_word(file, type, "mx") ||
                     is_always_ocp(file, type)))
      continue;
    const Scope scope(file, index);
    if (chooses_224(file, scope) || is_checked(file, index, type)) continue;
    check.report(file.span(at), is_fnuz ? Confidence::kHigh : Confidence::kMedium,
                 is_fnuz ? "240 is the largest fnuz number, but scales are made for 224"
                         : "where this type is fnuz, scales are made for 224, not for its largest "
                           "number");
  }
}

}  // namespace

Rule fnuz_finfo_max() {
  return {.code = "HW303",
          .name = "fnuz-finfo-max",
          .summary = "the largest fnuz number as the maximum of quantised values",
          .relevance = Relevance::kFnuz,
          .triggers = {kFinfo},
          .python = find};
}

}  // namespace hipwright::lint::rules
