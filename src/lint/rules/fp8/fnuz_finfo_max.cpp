// SPDX-License-Identifier: MIT
// The largest fnuz number is used as the maximum of quantised data.
//
// ## What it finds
//
// `torch.finfo(torch.float8_e4m3fnuz).max`, and `torch.finfo(dtype).max` of an fp8 type that may
// be fnuz, where quantised values are scaled or clamped to it. A type is fp8 by its name, by the
// name of the function, or by the name its limits are stored under: `fp8_max = info.max`.
//
// ## Why it matters
//
// The largest `float8_e4m3fnuz` is 240, and scaling to it is correct. vLLM and the libraries that
// share its checkpoints scale to 224 on fnuz: OCP's 448 divided by the factor of two between the
// two biases. With 240, scales do not match those computed there. The confidence is medium in files
// that name vLLM, SGLang or 224, and low elsewhere: a project may have another convention.
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
// - The program selects 224 for fnuz elsewhere in the same function.
// - The limit of the format itself is meant: a test, a conversion, a saturation.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/python/platform_choice.h"
#include "lint/rule.h"
#include "syntax/python/flow.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kFinfo("finfo");
const Name kMax("max");

struct Limit {
  TokenRange type;
  TokenIndex at = kNoToken;  // where the maximum is read
};

// The type of finfo(TYPE) whose max is used: finfo(TYPE).max, or info = finfo(TYPE) and info.max
// later in the function.
Limit limit_of(const File& file, TokenIndex finfo) {
  if (!file.is(finfo + 1, "(")) return {};
  const TokenIndex close = file.partner(finfo + 1);
  if (close == kNoToken || close + 2 >= file.tokens().size()) return {};
  const TokenRange type{finfo + 2, close};
  if (file.is(close + 1, ".")) return file.is(close + 2, kMax) ? Limit{type, finfo} : Limit{};
  const StatementIndex index = file.statement_at(finfo);
  if (index == kNoStatement || file.tokens()[close + 1].kind != Kind::kNewline) return {};
  const TokenIndex name = file.statements()[index].tokens.begin;
  if (!file.is(name + 1, "=")) return {};
  const FunctionScope scope(file, index);
  if (!scope.is_function()) return {};
  for (const TokenIndex max : file.occurrences(kMax))
    if (max > close && file.is(max - 1, ".") && file.text(max - 2) == file.text(name) &&
        !file.is(max + 1, "(") && scope.contains(max))
      return {type, max};
  return {};
}

bool says_fp8(std::string_view text) {
  return contains_word(text, "fp8") || contains_word(text, "float8");
}

// `dtype` in an fp8 function.
bool is_dtype_of_fp8_function(const File& file, StatementIndex index, TokenRange type) {
  return type.size() == 1 && file.text(type.begin).ends_with("dtype") &&
         says_fp8(function_name(file, index));
}

// fp8_max = finfo(key.dtype).max; info = finfo(key.dtype) and fp8_max = info.max later.
bool is_kept_as_fp8(const File& file, StatementIndex index, TokenRange type) {
  if (!file.text(type.end - 1).ends_with("dtype")) return false;
  const TokenRange statement = file.statements()[index].tokens;
  const auto keeps = [&](TokenRange tokens) {
    return file.is(tokens.begin + 1, "=") && says_fp8(file.text(tokens.begin));
  };
  if (keeps(statement)) return true;
  const FunctionScope scope(file, index);
  return std::ranges::any_of(file.occurrences(kMax), [&](TokenIndex at) {
    return at > type.end && at > 1 && file.is(at - 1, ".") &&
           file.text(at - 2) == file.text(statement.begin) && scope.contains(at) &&
           keeps(file.statements()[file.statement_at(at)].tokens);
  });
}

bool chooses_224(const File& file, const FunctionScope& scope) {
  for (TokenIndex at = 0; at < file.tokens().size(); ++at)
    if (file.tokens()[at].kind == Kind::kNumber && file.text(at).starts_with("224") &&
        scope.contains(at))
      return true;
  return false;
}

// dtype = torch.float8_e4m3fn and no other value: always OCP. A parameter's default does not bind
// its callers.
bool is_always_ocp(const File& file, TokenRange type) {
  if (type.size() != 1) return false;
  const std::vector<Binding> all = bindings(file, variable_at(file, type.begin));
  return !all.empty() && std::ranges::all_of(all, [&](const Binding& binding) {
    return binding.value.size() >= 1 && file.compact(binding.value).ends_with("float8_e4m3fn") &&
           !has_word(file, binding.value, "fnuz") && binding.kind != BindingKind::kParameter;
  });
}

// def quantise(x, dtype=torch.float8_e4m3fnuz), dtype = torch.float8_e4m3fnuz if … else …
bool is_fnuz_somewhere(const File& file, TokenRange type) {
  if (type.size() != 1) return false;
  return std::ranges::any_of(
      bindings(file, variable_at(file, type.begin)), [&](const Binding& binding) {
        return !binding.value.empty() && has_word(file, binding.value, "e4m3fnuz");
      });
}

// if is_fp8_fnuz(): … else: …, if not uses_fnuz: …: fnuz takes the other branch.
bool is_past_fnuz(const File& file, StatementIndex index) {
  const auto all = file.statements();
  for (StatementIndex at = index; at != kNoStatement; at = all[at].parent) {
    if (all[at].kind == StatementKind::kIf &&
        (has_word(file, all[at].tokens, "fnuz") && file.is(all[at].tokens.begin + 1, "not")))
      return true;
    if (all[at].kind != StatementKind::kElse) continue;
    StatementIndex before = at;
    while (before > 0 &&
           !(all[before].kind == StatementKind::kIf && all[before].parent == all[at].parent))
      --before;
    if (has_word(file, all[before].tokens, "fnuz")) return true;
  }
  return false;
}

// assert torch.finfo(TYPE).max == 240
bool is_checked(const File& file, StatementIndex index, TokenRange type) {
  const TokenIndex after = type.end + 3;
  return file.is(file.statements()[index].tokens.begin, "assert") || file.is(after, "==") ||
         file.is(after, "!=");
}

// Does the file belong to a project whose scales are limited to 224, or work with one?
bool shares_scales(const PythonCheck& check) {
  static constexpr std::array<std::string_view, 5> kWords = {
      "import vllm", "from vllm", "import sglang", "from sglang", "224.0"};
  return contains_word(check.facts.path, "vllm") || contains_word(check.facts.path, "sglang") ||
         std::ranges::any_of(kWords, [&](std::string_view word) {
           return check.file.text().find(word) != std::string_view::npos;
         });
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (is_for_others(check) || check.facts.is_test) return;
  for (const TokenIndex at : file.occurrences(kFinfo)) {
    const Limit limit = limit_of(file, at);
    const TokenRange type = limit.type;
    if (type.empty() || file.token_runs_on_rocm(at) == Truth::kNo) continue;
    const bool is_fnuz = has_word(file, type, "fnuz");
    const StatementIndex index = file.statement_at(at);
    const FunctionScope scope(file, index);
    const bool may_be = has_word(file, type, "fp8") || has_word(file, type, "float8") ||
                        is_dtype_of_fp8_function(file, index, type) ||
                        is_fnuz_somewhere(file, type) ||
                        (is_kept_as_fp8(file, index, type) && !chooses_fp8_format(file, scope));
    if (!is_fnuz && (!may_be || has_word(file, type, "float8_e") || has_word(file, type, "mx") ||
                     is_always_ocp(file, type)))
      continue;
    if (chooses_224(file, scope) || is_checked(file, index, type) ||
        (!is_fnuz && is_past_fnuz(file, index)))
      continue;
    // 224 is a convention of vLLM and of the projects that share its scales, not of the format.
    check.report(file.span(limit.at), shares_scales(check) ? Confidence::kMedium : Confidence::kLow,
                 is_fnuz ? "240 is the largest fnuz number; scales that vLLM reads use 224"
                         : "if this type is fnuz, scales that vLLM reads use 224, not its largest "
                           "number");
  }
}

}  // namespace

Rule fnuz_finfo_max() {
  return {.code = "HW303",
          .name = "fnuz-finfo-max",
          .summary = "largest fnuz number used as the maximum of quantised values",
          .relevance = Relevance::kFnuz,
          .triggers = {kFinfo},
          .python = find};
}

}  // namespace hipwright::lint::rules
