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

// finfo ( TYPE ) . max
TokenRange type_of_max(const File& file, TokenIndex finfo) {
  if (!file.is(finfo + 1, "(")) return {};
  const TokenIndex close = file.partner(finfo + 1);
  if (close == kNoToken || close + 2 >= file.tokens().size()) return {};
  if (!file.is(close + 1, ".") || !file.is(close + 2, kMax)) return {};
  return {finfo + 2, close};
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

void find(PythonCheck& check) {
  const File& file = check.file;
  if (is_for_others(check) || check.facts.is_test) return;
  for (const TokenIndex at : file.occurrences(kFinfo)) {
    const TokenRange type = type_of_max(file, at);
    if (type.empty() || file.token_runs_on_rocm(at) == Truth::kNo) continue;
    const bool is_fnuz = has_word(file, type, "fnuz");
    const bool may_be = has_word(file, type, "fp8") || has_word(file, type, "float8");
    if (!is_fnuz && (!may_be || has_word(file, type, "float8_e") || has_word(file, type, "mx") ||
                     is_always_ocp(file, type)))
      continue;
    const Scope scope(file, file.statement_at(at));
    if (chooses_224(file, scope)) continue;
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
