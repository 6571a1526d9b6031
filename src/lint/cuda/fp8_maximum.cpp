// SPDX-License-Identifier: MIT
#include "lint/cuda/fp8_maximum.h"

#include <algorithm>

#include <fmt/format.h>

#include "arch/arch.h"
#include "base/words.h"
#include "lint/cuda/lanes.h"
#include "lint/fp8_number.h"

namespace hipwright::lint {

namespace {

using namespace syntax::cuda;
using syntax::Truth;

const syntax::Name kDeviceWord("__device__"), kGlobalWord("__global__");
const syntax::Name kOcpType("Float8_e4m3fn");

bool says(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words,
                             [&](std::string_view word) { return contains_word(text, word); });
}

bool is_said(const File& file, TokenRange where, std::initializer_list<std::string_view> words) {
  for (TokenIndex at = where.begin; at < where.end; ++at)
    if (is_name(file, at) && says(file.text(at), words)) return true;
  return false;
}

// The statement itself, or the enclosing class (a table of limits by type) with a limit's name.
bool about_fp8(const File& file, TokenIndex number) {
  const TokenRange whole = segment(file, number);
  const bool is_float = file.text(number).find_first_of(".fF") != std::string_view::npos;
  const bool names_limit = is_said(
      file, whole,
      {"max", "min", "limit", "range", "clamp", "divisor", "scale", "amax", "target", "inv"});
  if (!is_float && !names_limit) return false;
  if (is_said(file, whole, {"fp8", "float8", "e4m3"})) return true;
  const TokenIndex open = file.enclosing(number);
  if (open == kNoToken || !names_limit) return false;
  // amax / 448.0f: no other quantity is divided by this fraction.
  if (is_float && fp8_maximum(file.text(number)) == 448 && file.is(number - 1, "/")) return true;
  if (const Function* around = file.function_at(number); around != nullptr)
    return is_said(file, {around->name, around->name + 1}, {"fp8", "e4m3"});
  return file.is(open, "{") && is_said(file, segment(file, open - 1), {"fp8", "float8", "e4m3"});
}

// A format that is the same everywhere: scales of NVFP4 and microscaling.
bool is_fixed_format(const CudaCheck& check, TokenIndex number) {
  const std::initializer_list<std::string_view> words = {"fp4", "ue4m3", "ue8m0", "mxfp", "e2m1"};
  if (says(check.facts.path, words)) return true;
  const TokenRange whole = segment(check.file, number);
  for (TokenIndex at = whole.begin; at < whole.end; ++at)
    if (const std::string_view text = check.file.text(at); text == "6.0f" || text == "6.f")
      return true;
  const Function* around = check.file.function_at(number);
  if (is_said(check.file, whole, words)) return true;
  // A parameter that selects the format of the scales does not fix the type of the values.
  return around != nullptr &&
         (is_said(check.file, around->head, {"fp4", "ue4m3", "mxfp", "e2m1"}) ||
          is_said(check.file, {around->name, around->name + 1}, {"ue8m0"}));
}

// The statement, or the class around it, from its head on.
TokenRange class_around(const File& file, TokenIndex number) {
  TokenRange whole = segment(file, number);
  for (TokenIndex open = file.enclosing(number); open != kNoToken && open > 0;
       open = file.enclosing(open)) {
    const TokenRange head = segment(file, open - 1);
    if (!is_said(file, head, {"struct", "class", "namespace"})) continue;
    if (!is_said(file, head, {"namespace"})) whole = {head.begin, file.partner(open)};
    break;
  }
  return whole;
}

// An #if around it, or names next to it, select by format.
bool is_chosen(const CudaCheck& check, TokenIndex number) {
  for (const std::string& condition : check.file.conditions(number))
    if (says(condition, {"gfx", "fnuz", "ocp", "fp8_type"})) return true;
  // For a constant of the file, the types used in the rest of the file prove nothing.
  const bool is_local = check.file.function_at(number) != nullptr;
  return is_said(check.file,
                 is_local ? code_around(check.file, number) : class_around(check.file, number),
                 {"fnuz", "e4m3uz"});
}

// The name of the constant initialised with the number.
TokenIndex constant_name(const File& file, TokenIndex number) {
  const TokenRange whole = segment(file, number);
  TokenIndex name = kNoToken;
  for (TokenIndex at = whole.begin; at + 1 < whole.end; ++at)
    if (is_name(file, at) && (file.is(at + 1, "=") || file.is(at + 1, "{"))) name = at;
  return name;
}

// The other number for the same purpose, in one function or under one name.
bool is_alternative(const File& file, TokenIndex number, TokenIndex other) {
  const Function* around = file.function_at(number);
  if (around != file.function_at(other)) return false;
  if (around != nullptr) return true;
  const TokenIndex name = constant_name(file, number), second = constant_name(file, other);
  return name != kNoToken && second != kNoToken && file.text(name) == file.text(second);
}

// A constant that only NVIDIA code uses.
bool is_used_on_amd(const CudaCheck& check, TokenIndex number) {
  const File& file = check.file;
  const TokenIndex name = constant_name(file, number);
  if (name == kNoToken) return true;
  bool is_used = false;
  for (TokenIndex at = name + 1; at < file.tokens().size(); ++at) {
    if (!is_name(file, at) || file.text(at) != file.text(name)) continue;
    if (check.on_amd(at) != Truth::kNo) return true;
    is_used = true;
  }
  return !is_used;
}

// std::numeric_limits<c10::Float8_e4m3fn>::max() in a function without another type: OCP's limit on
// every target.
void find_limits_of_type(CudaCheck& check) {
  const File& file = check.file;
  for (const TokenIndex at : file.occurrences(kOcpType)) {
    if (!file.is(at + 1, ">") || !file.is(at + 2, "::") || file.text(at + 3) != "max") continue;
    TokenIndex first = at;
    while (first > 2 && file.is(first - 1, "::") && is_name(file, first - 2)) first -= 2;
    if (first < 2 || !file.is(first - 1, "<") || file.text(first - 2) != "numeric_limits") continue;
    const bool in_macro = (file.tokens()[at].flags & kInMacroBody) != 0;
    if ((file.function_at(at) == nullptr && !in_macro) || check.on_amd(at) == Truth::kNo) continue;
    const TokenRange code = code_around(file, at);
    if (is_said(file, code, {"fnuz", "is_same"}) || is_bound_to_nvidia(check)) continue;
    if (check.facts.built_on_amd != Truth::kYes && !file.has(kGlobalWord)) continue;
    check.report(file.span(at), Confidence::kLow,
                 fmt::format("448 is the maximum of the OCP type; {} (fnuz) needs another value",
                             arch::targets_with(arch::Fp8::kFnuz)),
                 {}, Relevance::kFnuz);
  }
}

}  // namespace

void find_fp8_maxima(CudaCheck& check) {
  const File& file = check.file;
  if (check.facts.is_test || contains_word(check.facts.path, "cpu")) return;
  find_limits_of_type(check);
  std::vector<TokenIndex> found;
  for (const TokenIndex at : fp8_maxima(file))
    if (check.on_amd(at) != Truth::kNo && about_fp8(file, at)) found.push_back(at);
  if (found.empty() || is_bound_to_nvidia(check)) return;
  if (!file.has(kDeviceWord) && !file.has(kGlobalWord) && !check.facts.path.ends_with(".cuh") &&
      !check.facts.path.ends_with(".cu"))
    return;
  for (const TokenIndex at : found) {
    const int value = fp8_maximum(file.text(at));
    const bool has_other = std::ranges::any_of(found, [&](TokenIndex other) {
      return fp8_maximum(file.text(other)) != value && is_alternative(file, at, other);
    });
    if (has_other || is_fixed_format(check, at) || is_chosen(check, at)) continue;
    if (!is_used_on_amd(check, at)) continue;
    report_fp8_maximum(check, at, Confidence::kMedium);
  }
}

}  // namespace hipwright::lint
