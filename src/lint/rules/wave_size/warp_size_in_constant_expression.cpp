// SPDX-License-Identifier: MIT
// `warpSize` is used where the compiler needs a constant.
//
// ## What it finds
//
// `warpSize` as the size of an array, a template argument, the value of a `constexpr`, a `case`, in
// `static_assert`, `if constexpr` or `#if`, and macros that expand to it. `__AMDGCN_WAVEFRONT_SIZE`
// as a value, and compared in an `#if` line that does not test whether it is defined. PyTorch's
// `C10_WARP_SIZE`, and a project's own macro that calls a function for AMD (`#define WARP_SIZE
// device::warp_size()`), in such a place outside of device code.
//
// ## Why it matters
//
// Since ROCm 7 `warpSize` is not a constant expression: one binary can serve GPUs of both sizes.
// The build fails with "not a constant expression". In `#if` it is an unknown name and counts as 0.
// The compiler's macro for the same number is deprecated for the same reason and will be removed:
// then `__AMDGCN_WAVEFRONT_SIZE == 64` is false everywhere. PyTorch's macro is a call of a function
// in host code for ROCm.
//
// ## Example
//
// ```cuda
// __shared__ float partial[1024 / warpSize];
// constexpr int kLanes = warpSize;
// ```
//
// ## Use instead
//
// The size for the smaller wave where memory is reserved, a constant per target where code depends
// on it:
//
// ```cuda
// __shared__ float partial[1024 / 32];
// #if defined(__GFX9__)
// constexpr int kLanes = 64;
// #else
// constexpr int kLanes = 32;
// #endif
// ```
//
// ## When it is not a bug
//
// - Plain arithmetic and loops: `offset = warpSize / 2`.
// - A member or parameter of that name: `props.warpSize`.
// - Code in an NVIDIA branch.
// - `#ifdef __AMDGCN_WAVEFRONT_SIZE`, which tests whether the macro still exists.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/cuda/lanes.h"
#include "lint/cuda/warp_sizes.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Name;
using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::kNoToken;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

const Name kWarpSize("warpSize");
const Name kPyTorchs("C10_WARP_SIZE");
const Name kWavefronts[] = {Name("__AMDGCN_WAVEFRONT_SIZE"), Name("__AMDGCN_WAVEFRONT_SIZE__")};

bool is_array_size(const File& file, TokenIndex at) {
  TokenIndex open = file.enclosing(at);
  while (open != kNoToken && file.is(open, "(")) open = file.enclosing(open);
  if (open == kNoToken || open == 0 || !file.is(open, "[") || !is_name(file, open - 1))
    return false;
  return declared_at(file, open - 1).has_value();
}

bool is_template_argument(const File& file, TokenIndex at) {
  if (file.is(at - 1, "<"))
    return is_punctuator(file, at + 1, {",", ">"}) && is_name(file, at - 2) &&
           (file.is(at + 1, ",") || is_punctuator(file, at + 2, {"(", "::", ">", "{", ",", ";"}) ||
            is_name(file, at + 2));
  return file.is(at - 1, ",") && file.is(at + 1, ">") &&
         (is_punctuator(file, at + 2, {"(", "::", ">", "{", ",", ";"}) || is_name(file, at + 2));
}

bool is_constexpr_value(const File& file, TokenIndex at) {
  TokenIndex anchor = at;
  for (TokenIndex open = file.enclosing(at); open != kNoToken && file.is(open, "(");
       open = file.enclosing(open))
    anchor = open;
  const TokenRange whole = segment(file, anchor);
  bool is_constexpr = false;
  for (TokenIndex each = whole.begin; each < anchor; ++each) {
    if (is_name(file, each) && file.text(each) == "constexpr" && file.text(each - 1) != "if")
      is_constexpr = true;
    if (is_constexpr && file.is(each, "=")) return true;
  }
  return false;
}

std::string_view keyword_around(const File& file, TokenIndex at) {
  for (TokenIndex open = file.enclosing(at); open != kNoToken && file.is(open, "(");
       open = file.enclosing(open)) {
    if (open < 2 || !is_name(file, open - 1)) continue;
    if (file.text(open - 1) == "static_assert") return "in static_assert";
    if (file.text(open - 1) == "constexpr" && file.text(open - 2) == "if") return "in if constexpr";
  }
  return {};
}

// #ifndef warpSize, #undef warpSize, defined(warpSize)
bool asks_whether_defined(const File& file, TokenIndex at) {
  static constexpr std::array<std::string_view, 5> kWords = {"ifdef", "ifndef", "elifdef", "undef",
                                                             "defined"};
  return is_any(file.text(at - 1), kWords) ||
         (file.is(at - 1, "(") && is_any(file.text(at - 2), kWords));
}

std::string_view where(const File& file, TokenIndex at) {
  const unsigned flags = file.tokens()[at].flags;
  if ((flags & cu::kInDirective) != 0 && (flags & cu::kInMacroBody) == 0)
    return asks_whether_defined(file, at) ? std::string_view() : "in #if";
  if (is_array_size(file, at)) return "as the size of an array";
  if (is_template_argument(file, at)) return "as a template argument";
  if (file.text(at - 1) == "case") return "as a case label";
  if (const std::string_view keyword = keyword_around(file, at); !keyword.empty()) return keyword;
  if (is_constexpr_value(file, at)) return "as the value of a constexpr";
  return {};
}

// #if __AMDGCN_WAVEFRONT_SIZE == 64, without defined(…) in the same line.
bool is_compared_undefined(const File& file, TokenIndex at) {
  if (!is_punctuator(file, at + 1, {"==", "!=", "<", ">", "<=", ">="})) return false;
  TokenIndex first = at;
  while (first > 0 && (file.tokens()[first].flags & cu::kFirstOnLine) == 0) --first;
  for (TokenIndex each = first; each < at; ++each)
    if (file.text(each) == "defined" &&
        (file.text(each + 1) == file.text(at) || file.text(each + 2) == file.text(at)))
      return false;
  return true;
}

void find_wavefronts(CudaCheck& check) {
  const File& file = check.file;
  for (const Name& name : kWavefronts)
    for (const TokenIndex at : file.occurrences(name)) {
      const unsigned flags = file.tokens()[at].flags;
      const bool is_test = (flags & cu::kInDirective) != 0 && (flags & cu::kInMacroBody) == 0;
      if (is_test && !is_compared_undefined(file, at)) continue;
      // Only AMD's compiler knows the name, whatever the build says of the file.
      if (file.compiled(at, cu::Platform::kAmd) == Truth::kNo) continue;
      // Under #if defined(__AMDGCN_WAVEFRONT_SIZE) another branch may serve when it is gone.
      const bool is_asked =
          std::ranges::any_of(file.conditions(at), [&](const std::string& condition) {
            return !condition.starts_with('!') && has_any(condition, {name.text()});
          });
      check.report(
          file.span(at), sure(check, at, is_asked ? Confidence::kLow : Confidence::kMedium),
          fmt::format("{} is deprecated and will be removed; test for __GFX9__", name.text()));
    }
}

// static_assert(C10_WARP_SIZE == 32), constexpr int kThreads = 4 * C10_WARP_SIZE: not in host code.
void find_pytorchs(CudaCheck& check) {
  const File& file = check.file;
  if (is_own_macro(check, kPyTorchs.text())) return;
  for (const TokenIndex at : file.occurrences(kPyTorchs)) {
    const unsigned flags = file.tokens()[at].flags;
    const cu::Function* function = file.function_at(at);
    if (at < 2 || (flags & cu::kInMacroBody) != 0 || check.on_amd(at) == Truth::kNo ||
        (function != nullptr && function->is_device()))
      continue;
    if (const std::string_view place = where(file, at); !place.empty())
      check.report(
          file.span(at), sure(check, at, Confidence::kMedium),
          fmt::format("C10_WARP_SIZE is a function of the device on ROCm since PyTorch 2.9, "
                      "but is used {}",
                      place));
  }
}

// A project's own macro for a call: static_assert(WARP_SIZE == 32) outside device code, and in the
// body of a macro, which host code expands.
void find_size_calls(CudaCheck& check) {
  const File& file = check.file;
  const auto* own = check.facts.own_definitions;
  if (own == nullptr || own->size_calls.empty()) return;
  TokenIndex last = kNoToken;  // the bracket around the last one: one finding for a condition
  for (TokenIndex at = 2; at + 1 < file.tokens().size(); ++at) {
    const unsigned flags = file.tokens()[at].flags;
    if (!is_name(file, at) || !cu::is_warp_size_name(file.text(at)) ||
        !own->has_size_call(file.text(at)) || check.on_amd(at) == Truth::kNo ||
        file.text(at) == kPyTorchs.text() || file.text(at - 1) == "define")
      continue;
    const cu::Function* function = file.function_at(at);
    if ((function != nullptr && function->is_device()) ||
        (last != kNoToken && file.enclosing(at) == last))
      continue;
    const bool is_in_macro = (flags & cu::kInMacroBody) != 0;
    const std::string_view place = where(file, at);
    if (place.empty()) continue;
    last = file.enclosing(at);
    check.report(file.span(at),
                 is_in_macro ? Confidence::kLow : sure(check, at, Confidence::kMedium),
                 fmt::format("{} is a call for AMD, and no constant in host code, but is used {}",
                             file.text(at), place));
  }
}

// #define warpSize 64 for each target, here or in a header; constexpr int warpSize = 64 in the
// code.
bool is_own_size(const CudaCheck& check, TokenIndex at) {
  const auto* own = check.facts.own_definitions;
  return check.file.macro_named(kWarpSize.text()) != nullptr ||
         (own != nullptr && own->has_per_target(kWarpSize.text())) ||
         declaration_of(check.file, at).has_value();
}

void find(CudaCheck& check) {
  const File& file = check.file;
  find_wavefronts(check);
  find_pytorchs(check);
  find_size_calls(check);
  if (is_template_parameter(file, kWarpSize.text())) return;
  for (const TokenIndex at : file.occurrences(kWarpSize)) {
    if (at < 2 || is_punctuator(file, at - 1, {".", "->", "::"}) ||
        check.on_amd(at) == Truth::kNo || is_own_size(check, at))
      continue;
    if (const std::string_view place = where(file, at); !place.empty()) {
      check.report(file.span(at), sure(check, at),
                   fmt::format("warpSize is not a constant since ROCm 7, but is used {}", place));
      continue;
    }
    // #define WARP_SIZE warpSize: the uses are elsewhere.
    for (const cu::Macro& macro : file.macros())
      if (!macro.is_function && macro.body.begin == at && macro.body.end == at + 1)
        check.report(file.span(at), Confidence::kMedium,
                     fmt::format("{} is not a constant since ROCm 7, because warpSize is not",
                                 file.text(macro.name)));
  }
}

}  // namespace

Rule warp_size_in_constant_expression() {
  return {.code = "HW103",
          .name = "warp-size-in-constant-expression",
          .summary = "warpSize used where a constant is needed",
          .severity = Severity::kError,
          .relevance = Relevance::kAll,
          .triggers = {kWarpSize, kPyTorchs, kWavefronts[0], kWavefronts[1]},
          .words = {"WARP_SIZE", "WarpSize"},
          .cuda = find};
}

}  // namespace hipwright::lint::rules
