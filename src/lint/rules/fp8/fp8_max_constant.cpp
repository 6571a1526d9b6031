// SPDX-License-Identifier: MIT
// The largest fp8 value is a literal, the same for all targets.
//
// ## What it finds
//
// 448, 240 or 224 as the maximum of fp8 data, where nothing around it selects the value by target:
// `FP8_MAX = 448.0`, `clamp(…, -448, 448)` in a function or a file that is about fp8 by its name,
// `amax / 448.0` anywhere. In C++ also `numeric_limits` of one fp8 type.
//
// ## Why it matters
//
// OCP's e4m3 reaches 448, fnuz 240, and scales for fnuz use 224. gfx942 uses fnuz; gfx950, gfx1200
// and gfx1201 use OCP, as NVIDIA does. A fixed number saturates on one of them, or wastes a bit of
// range on the other: 224 on gfx950 is as wrong as 448 on gfx942.
//
// ## Example
//
// ```python
// FP8_MAX = 448.0
// ```
//
// ## Use instead
//
// ```python
// FP8_MAX = 224.0 if current_platform.is_fp8_fnuz() else 448.0
// ```
//
// In device code
//
// ```cuda
// #if defined(__gfx942__)
// constexpr float kFp8Max = 224.0f;
// #else
// constexpr float kFp8Max = 448.0f;
// #endif
// ```
//
// ## When it is not a bug
//
// - The number has nothing to do with fp8 (an image size, a block size).
// - Another branch has the other number.
// - The format is OCP everywhere: MX, NVFP4.
#include <algorithm>
#include <array>

#include "arch/mentions.h"
#include "base/words.h"
#include "lint/cuda/fp8_maximum.h"
#include "lint/fp8_number.h"
#include "lint/python/platform_choice.h"
#include "lint/rule.h"
#include "project/path.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

bool about_fp8(const File& file, TokenRange where) {
  return has_word(file, where, "fp8") || has_word(file, where, "float8") ||
         has_word(file, where, "e4m3");
}

// A limit of values, not a number of elements or bytes: FP8_MAX = 448.0, amax / 448.0.
bool is_limit(const File& file, TokenIndex at, TokenRange statement) {
  if (has_word(file, statement, "dim") || has_word(file, statement, "shape")) {
    if (!has_word(file, statement, "fp8_max")) return false;
  }
  if (has_word(file, statement, "max") || has_word(file, statement, "clamp")) return true;
  return about_fp8(file, statement) && file.text(at).find('.') != std::string_view::npos;
}

// return 224.0 in get_fp8_max(): what the function is asked for.
bool is_returned_maximum(const File& file, TokenIndex at, StatementIndex index) {
  const Statement& statement = file.statements()[index];
  const std::string_view function = function_name(file, index);
  return statement.kind == StatementKind::kReturn && at == statement.tokens.begin + 1 &&
         statement.tokens.size() == 2 && contains_word(function, "max") &&
         (contains_word(function, "fp8") || contains_word(function, "float8") ||
          contains_word(function, "e4m3"));
}

// if arch in ("gfx942", "gfx950"): fp8_max = 224.0, {"gfx950": 224.0}: the number of fnuz for a
// target with OCP.
bool is_for_ocp_target(const File& file, TokenIndex at, StatementIndex index) {
  const auto names_one = [&](TokenIndex token) {
    const Kind kind = file.tokens()[token].kind;
    return kind == Kind::kString
               ? arch::mentions_ocp_fp8(file.string_value(token))
               : kind == Kind::kName && arch::mentions_cdna_ocp_fp8(file.text(token));
  };
  if (at >= 2 && file.is(at - 1, ":")) return names_one(at - 2);
  const StatementIndex around = file.statements()[index].parent;
  if (around == kNoStatement || file.statements()[around].kind != StatementKind::kIf) return false;
  const TokenRange header = file.statements()[around].tokens;
  bool names = false;
  for (TokenIndex token = header.begin; token < header.end; ++token) {
    if (file.is(token, "not") || file.is(token, "!=")) return false;
    names |= names_one(token);
  }
  return names;
}

// qmax = 240: the whole value of a variable named after a maximum.
bool is_named_maximum(const File& file, TokenIndex at, TokenRange statement) {
  return at + 1 == statement.end && file.is(at - 1, "=") && at == statement.begin + 2 &&
         file.text(statement.begin).ends_with("max");
}

// Names of a format, or of gfx950 and gfx12.
bool is_ocps(const PythonCheck& check, StatementIndex index) {
  return is_ocp_by_definition(check, index) || arch::mentions_ocp_fp8(check.facts.path);
}

// amax / 448.0, 448.0 / amax in a file that is about fp8 by its name.
bool is_scale_of_fp8_file(const PythonCheck& check, TokenIndex at) {
  const std::string_view path = check.facts.path;
  const std::string_view name = project::name_of(path);
  if (!contains_word(name, "fp8") && !contains_word(name, "float8")) return false;
  return (at > 0 && check.file.is(at - 1, "/")) || check.file.is(at + 1, "/");
}

// scale = amax / 448.0, 448.0 / amax, amax * (1.0 / 448.0): certainly a scale. MX scales are powers
// of two and are computed with a logarithm.
bool is_scale_of_amax(const File& file, TokenIndex at, TokenRange statement) {
  const bool is_divided = (at > 0 && file.is(at - 1, "/")) || file.is(at + 1, "/");
  const bool is_largest = has_word(file, statement, "abs") && has_word(file, statement, "max");
  return is_divided && file.text(at).find('.') != std::string_view::npos &&
         (is_largest || has_word(file, statement, "amax") || has_word(file, statement, "absmax") ||
          has_word(file, statement, "abs_max")) &&
         !has_word(file, statement, "log2") && !has_word(file, statement, "exp2");
}

// A number in the function, or the only one of its kind outside functions.
bool is_chosen_by_target(const File& file, TokenIndex at, StatementIndex index,
                         const std::vector<TokenIndex>& all) {
  const FunctionScope scope(file, index);
  const int value = fp8_maximum(file.text(at));
  return std::ranges::any_of(all,
                             [&](TokenIndex other) {
                               return scope.contains(other) &&
                                      fp8_maximum(file.text(other)) != value;
                             }) ||
         chooses_fp8_format(file, scope);
}

// ROCM_FP8_MAX = 224.0
bool is_named_for_all_of_rocm(const File& file, TokenIndex at, TokenRange statement) {
  const TokenRange name{statement.begin, statement.begin + 1};
  return at == statement.begin + 2 && at + 1 == statement.end && file.is(at - 1, "=") &&
         (has_word(file, name, "rocm") || has_word(file, name, "hip")) &&
         !has_word(file, name, "fnuz") && !has_word(file, name, "gfx");
}

// A test that asks which platform it is on runs on AMD.
bool knows_platforms(const PythonCheck& check) {
  return std::ranges::any_of(platform_questions(),
                             [&](const Name& name) { return check.file.has(name); });
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (is_for_others(check)) return;
  const std::vector<TokenIndex> all = fp8_maxima(file);
  StatementIndex last = kNoStatement;
  for (const TokenIndex at : all) {
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || index == last || file.token_runs_on_rocm(at) == Truth::kNo)
      continue;
    const TokenRange tokens = file.statements()[index].tokens;
    // Scales that are powers of two belong to OCP's MX formats.
    const bool is_ocp = fp8_maximum(file.text(at)) == 448;
    const bool is_returned = is_returned_maximum(file, at, index);
    const bool is_wrong_target =
        !is_ocp && is_for_ocp_target(file, at, index) &&
        (is_returned || about_fp8(file, function_around(file, index)) || about_fp8(file, tokens));
    if (!is_wrong_target && !is_returned &&
        (!is_limit(file, at, tokens) || has_word(file, tokens, "ue8m0")))
      continue;
    if (!is_wrong_target && !is_returned && !about_fp8(file, tokens) &&
        ((file.text(at).find('.') == std::string_view::npos &&
          !is_named_maximum(file, at, tokens)) ||
         (!about_fp8(file, function_around(file, index)) && !is_scale_of_fp8_file(check, at) &&
          !is_scale_of_amax(file, at, tokens))))
      continue;
    // 224 for all of ROCm, which is correct for gfx942 only.
    const bool for_all =
        !is_ocp && (is_for_all_of_rocm(file, at) || is_named_for_all_of_rocm(file, at, tokens));
    if (!for_all && !is_wrong_target && is_chosen_by_target(file, at, index, all)) continue;
    if (is_ocp && is_ocps(check, index)) continue;
    last = index;
    const bool is_sure = !is_tool(check) && (!check.facts.is_test || knows_platforms(check));
    report_fp8_maximum(check, at, is_sure ? Confidence::kMedium : Confidence::kLow);
  }
}

}  // namespace

Rule fp8_max_constant() {
  return {.code = "HW301",
          .name = "fp8-max-constant",
          .summary = "fp8 maximum that fits one format only",
          .words = {"448", "240", "224", "numeric_limits"},
          .cuda = find_fp8_maxima,
          .python = find};
}

}  // namespace hipwright::lint::rules
