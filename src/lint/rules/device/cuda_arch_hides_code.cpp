// SPDX-License-Identifier: MIT
// A function's code is under a test of `__CUDA_ARCH__`, so it is empty on AMD.
//
// ## What it finds
//
// `#if __CUDA_ARCH__ >= 800` (or `defined(__CUDA_ARCH__) && …`) around everything a device function
// does, with no other branch for AMD, or with one that only traps, asserts or returns a constant
// where the other computes; and `#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 800` around a
// `return` before the work. A test of `__HIP_PLATFORM_HCC__` alone has the same effect: it was the
// name of `__HIP_PLATFORM_AMD__` before ROCm 6.
//
// ## Why it matters
//
// AMD's compiler does not define `__CUDA_ARCH__`, and an undefined macro is 0 in a test. The
// function compiles and does nothing, returns an undefined value, or stops the kernel. A port that
// gives AMD's GPUs a number (`__HIP_DEVICE_COMPILE__ * 700 >= 800`) changes this only for tests
// that the number passes.
//
// ## Example
//
// ```cuda
// __device__ void copy(float* to, const float* from) {
// #if __CUDA_ARCH__ >= 800
//   *to = *from;
// #endif
// }
// ```
//
// ## Use instead
//
// ```cuda
// #if __CUDA_ARCH__ >= 800 || defined(USE_ROCM)
// ```
//
// ## When it is not a bug
//
// - Another branch has an implementation for all other targets.
// - The test selects a faster path in a function that works without it.
// - The omitted code is a hint: prefetches, dependent launches, register counts.
#include <algorithm>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/cuda/lanes.h"
#include "syntax/cuda/arch_conditions.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Name;
using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::Kind;
using syntax::cuda::kNoToken;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

const Name kArch("__CUDA_ARCH__");
const Name kOnDevice("__HIP_DEVICE_COMPILE__");
const Name kHcc("__HIP_PLATFORM_HCC__");

bool is_directive(const File& file, TokenIndex at) {
  return (file.tokens()[at].flags & cu::kInDirective) != 0;
}

bool begins_directive(const File& file, TokenIndex at) {
  return file.is(at, "#") && (file.tokens()[at].flags & cu::kFirstOnLine) != 0;
}

// #ifdef __HIP_PLATFORM_HCC__ without a newer name next to it.
void find_old_name(CudaCheck& check) {
  const File& file = check.file;
  TokenIndex last = kNoToken;
  for (const TokenIndex at : file.occurrences(kHcc)) {
    if (!is_directive(file, at)) continue;
    TokenIndex hash = at;
    while (hash > 0 && !begins_directive(file, hash)) --hash;
    const std::string_view word = file.text(hash + 1);
    if (hash == last || (!word.starts_with("if") && !word.starts_with("elif"))) continue;
    last = hash;
    // #ifndef NAME, #define NAME: the file defines it itself.
    if (word == "ifndef" && file.is(at + 1, "#") && file.text(at + 2) == "define" &&
        file.is(at + 3, kHcc))
      continue;
    bool has_other = false;
    for (TokenIndex token = hash + 2; token + 1 < file.tokens().size() &&
                                      is_directive(file, token) && !begins_directive(file, token);
         ++token) {
      const std::string_view name = file.text(token);
      has_other |= name == "__HIP_PLATFORM_AMD__" || name == "USE_ROCM" || name == "__HIPCC__" ||
                   name == "__HIP__" || name == "__HIP_PLATFORM_NVCC__";
    }
    if (!has_other)
      check.report(file.span(at), Confidence::kMedium,
                   "ROCm 6 and later do not define __HIP_PLATFORM_HCC__: it is "
                   "__HIP_PLATFORM_AMD__ now");
  }
}

// Does one of the enclosing conditions select AMD?
bool is_meant_for_amd(const CudaCheck& check, TokenIndex token) {
  if (check.file.compiled(token, syntax::cuda::Platform::kAmd) != Truth::kYes) return false;
  const std::vector<std::string> conditions = check.file.conditions(token);
  return std::any_of(conditions.begin(), conditions.end(), [](const std::string& condition) {
    return contains_word(condition, "rocm") || contains_word(condition, "hip") ||
           contains_word(condition, "amd");
  });
}

// __CUDA_ARCH__ >= 800: a feature that older GPUs lack. A `<` test selects their fallback.
bool asks_for_newer(const File& file, TokenIndex arch) {
  return is_punctuator(file, arch + 1, {">=", ">"});
}

bool has_definition(const File& file, TokenRange branch) {
  bool defines = false;
  for (TokenIndex at = branch.begin; at < branch.end; ++at) {
    if (is_directive(file, at)) continue;
    if (is_name(file, at) && file.text(at).starts_with("asm")) return false;
    defines |= file.is(at, "{");
  }
  return defines;
}

// #if defined(USE_ROCM) || …  #if __CUDA_ARCH__ >= 800  struct S<bfloat16> {…};  #endif  #endif:
// the outer test admits AMD, the inner one excludes it again.
void check_definitions(CudaCheck& check, TokenIndex arch, const cu::ConditionGroup& group) {
  const File& file = check.file;
  if (group.branches.size() != 1 || cu::names_amd(file, group) || !asks_for_newer(file, arch) ||
      cu::is_for_hopper(file, group))
    return;
  const TokenRange branch = group.branches[0];
  if (branch.empty() || file.compiled(branch.begin, syntax::cuda::Platform::kAmd) != Truth::kNo ||
      !is_meant_for_amd(check, group.lines.begin) || !has_definition(file, branch))
    return;
  check.report(file.span(group.place()), sure(check, group.lines.begin, Confidence::kMedium),
               "AMD's compiler does not define __CUDA_ARCH__: this definition is missing on AMD");
}

// #if defined(TEXTURE) && __CUDA_ARCH__ >= 300
bool has_other_switch(const File& file, TokenIndex line) {
  bool has_and = false, has_other = false;
  for (TokenIndex at = line + 1; at + 2 < file.tokens().size() && is_directive(file, at) &&
                                 (file.tokens()[at].flags & cu::kFirstOnLine) == 0;
       ++at) {
    has_and |= file.is(at, "&&");
    const TokenIndex name = file.is(at + 1, "(") ? at + 2 : at + 1;
    has_other |= file.text(at) == "defined" && !file.text(name).starts_with("__") &&
                 !contains_word(file.text(name), "cuda");
  }
  return has_and && has_other;
}

void find_hidden_code(CudaCheck& check) {
  using Effect = cu::HiddenCode::Effect;
  const File& file = check.file;
  for (const cu::HiddenCode& hidden : cu::code_hidden_from_amd(file)) {
    if (check.on_amd(hidden.group.lines.begin) == Truth::kNo) continue;
    if (hidden.effect != Effect::kReturns && cu::is_for_hopper(file, hidden.group)) continue;
    // A trap or a constant in the other branch may be what the author means for AMD; a function
    // that another switch empties, too, has other callers.
    const bool is_chosen = hidden.effect == Effect::kTraps || hidden.effect == Effect::kConstant ||
                           has_other_switch(file, hidden.group.lines.begin);
    check.report(
        file.span(hidden.group.place()),
        sure(check, hidden.function->name, is_chosen ? Confidence::kLow : Confidence::kHigh),
        fmt::format("{}: {} {}{}",
                    cu::counts_amd(file, hidden.group)
                        ? "the number for AMD GPUs fails this test"
                        : "AMD's compiler does not define __CUDA_ARCH__",
                    file.text(hidden.function->name), to_string(hidden.effect),
                    hidden.effect == Effect::kReturns ? "" : " on AMD"));
  }
}

void find(CudaCheck& check) {
  const File& file = check.file;
  if (is_bound_to_nvidia(check)) return;
  find_old_name(check);
  find_hidden_code(check);
  for (const TokenIndex at : file.occurrences(kArch)) {
    if (!is_directive(file, at) || check.on_amd(at) == Truth::kNo) continue;
    const cu::Function* function = file.function_at(at);
    if (function != nullptr && function->body.contains(at)) continue;
    if (const auto group = cu::group_of(file, at)) check_definitions(check, at, *group);
  }
}

}  // namespace

Rule cuda_arch_hides_code() {
  return {.code = "HW504",
          .name = "cuda-arch-hides-code",
          .summary = "__CUDA_ARCH__ test that leaves a function empty on AMD",
          .severity = Severity::kError,
          .relevance = Relevance::kAll,
          .triggers = {kArch, kOnDevice, kHcc},
          .cuda = find};
}

}  // namespace hipwright::lint::rules
