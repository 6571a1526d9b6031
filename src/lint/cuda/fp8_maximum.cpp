// SPDX-License-Identifier: MIT
#include "lint/cuda/fp8_maximum.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "lint/cuda/lanes.h"

namespace hipwright::lint {

namespace {

using namespace syntax::cuda;
using syntax::Truth;

const syntax::Name kDeviceWord("__device__"), kGlobalWord("__global__");

// 448, 240 or 224, as an integer or a float; 0: another number.
int fp8_maximum(std::string_view text) {
  if (text.size() > 1 && (text.back() == 'f' || text.back() == 'F')) text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return 0;
  for (const int maximum : {448, 240, 224})
    if (value == maximum) return maximum;
  return 0;
}

std::vector<TokenIndex> maxima(const File& file) {
  std::vector<TokenIndex> found;
  const std::span<const Token> tokens = file.tokens();
  for (TokenIndex at = 0; at < tokens.size(); ++at)
    if (tokens[at].kind == Kind::kNumber && tokens[at].end - tokens[at].begin <= 7 &&
        fp8_maximum(file.text(at)) != 0)
      found.push_back(at);
  return found;
}

void report(CudaCheck& check, TokenIndex number) {
  const int value = fp8_maximum(check.file.text(number));
  const bool is_ocp = value == 448;
  check.report(check.file.span(number), Confidence::kMedium,
               fmt::format("{} is {}'s maximum: {} needs another", value, is_ocp ? "OCP" : "fnuz",
                           is_ocp ? "gfx942 (fnuz)" : "gfx950 and gfx12 (OCP)"),
               {}, is_ocp ? Relevance::kFnuz : Relevance::kOcp);
}

bool says(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words,
                             [&](std::string_view word) { return contains_word(text, word); });
}

bool is_said(const File& file, TokenRange where, std::initializer_list<std::string_view> words) {
  for (TokenIndex at = where.begin; at < where.end; ++at)
    if (is_name(file, at) && says(file.text(at), words)) return true;
  return false;
}

// The statement itself, or the class around it (a table of limits by type) with a limit's name.
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
  if (const Function* around = file.function_at(number); around != nullptr)
    return is_said(file, {around->name, around->name + 1}, {"fp8", "e4m3"});
  return file.is(open, "{") && is_said(file, segment(file, open - 1), {"fp8", "float8", "e4m3"});
}

// A format that is the same everywhere: NVFP4's scales, microscaling's.
bool is_fixed_format(const CudaCheck& check, TokenIndex number) {
  const auto words = {"fp4", "ue4m3", "ue8m0", "mxfp", "e2m1"};
  if (std::ranges::any_of(words, [&](const char* w) { return contains_word(check.facts.path, w); }))
    return true;
  const TokenRange whole = segment(check.file, number);
  for (TokenIndex at = whole.begin; at < whole.end; ++at)
    if (const std::string_view text = check.file.text(at); text == "6.0f" || text == "6.f")
      return true;
  const Function* around = check.file.function_at(number);
  return is_said(check.file, around == nullptr ? whole : around->head,
                 {"fp4", "ue4m3", "ue8m0", "mxfp", "e2m1"});
}

// An #if around it, or names beside it, choose by the format.
bool is_chosen(const CudaCheck& check, TokenIndex number) {
  for (const std::string& condition : check.file.conditions(number))
    if (says(condition, {"gfx", "fnuz", "ocp", "fp8_type"})) return true;
  return is_said(check.file, code_around(check.file, number), {"fnuz", "e4m3uz"});
}

// A constant whose every use is NVIDIA's.
bool is_used_on_amd(const CudaCheck& check, TokenIndex number) {
  const File& file = check.file;
  const TokenRange whole = segment(file, number);
  TokenIndex name = kNoToken;
  for (TokenIndex at = whole.begin; at + 1 < whole.end; ++at)
    if (is_name(file, at) && (file.is(at + 1, "=") || file.is(at + 1, "{"))) name = at;
  if (name == kNoToken) return true;
  bool is_used = false;
  for (TokenIndex at = name + 1; at < file.tokens().size(); ++at) {
    if (!is_name(file, at) || file.text(at) != file.text(name)) continue;
    if (check.on_amd(at) != Truth::kNo) return true;
    is_used = true;
  }
  return !is_used;
}

}  // namespace

void find_fp8_maxima(CudaCheck& check) {
  const File& file = check.file;
  if (check.facts.is_test || contains_word(check.facts.path, "cpu")) return;
  std::vector<TokenIndex> found;
  for (const TokenIndex at : maxima(file))
    if (check.on_amd(at) != Truth::kNo && about_fp8(file, at)) found.push_back(at);
  if (found.empty() || is_bound_to_nvidia(check)) return;
  if (!file.has(kDeviceWord) && !file.has(kGlobalWord) && !check.facts.path.ends_with(".cuh") &&
      !check.facts.path.ends_with(".cu"))
    return;
  for (const TokenIndex at : found) {
    const int value = fp8_maximum(file.text(at));
    const bool has_other = std::ranges::any_of(
        found, [&](TokenIndex other) { return fp8_maximum(file.text(other)) != value; });
    if (has_other || is_fixed_format(check, at) || is_chosen(check, at)) continue;
    if (!is_used_on_amd(check, at)) continue;
    report(check, at);
  }
}

}  // namespace hipwright::lint
