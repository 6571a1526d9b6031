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
// function compiles and does nothing, returns an undefined value, or stops the kernel.
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
#include "syntax/cuda/assembly.h"

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
const Name kHcc("__HIP_PLATFORM_HCC__");

struct Group {
  TokenIndex begin = 0, end = 0;     // from the #if to the end of the #endif's line
  std::vector<TokenRange> branches;  // bodies
};

bool is_directive(const File& file, TokenIndex at) {
  return (file.tokens()[at].flags & cu::kInDirective) != 0;
}

TokenIndex line_end(const File& file, TokenIndex hash) {
  TokenIndex at = hash + 1;
  while (at + 1 < file.tokens().size() && is_directive(file, at) &&
         !(file.is(at, "#") && (file.tokens()[at].flags & cu::kFirstOnLine) != 0))
    ++at;
  return at;
}

// The #if whose test holds this token, with all of its branches.
std::optional<Group> group_of(const File& file, TokenIndex token) {
  TokenIndex hash = token;
  while (hash > 0 && is_directive(file, hash) &&
         !(file.is(hash, "#") && (file.tokens()[hash].flags & cu::kFirstOnLine) != 0))
    --hash;
  const std::string_view word = file.text(hash + 1);
  if (!file.is(hash, "#") || (word != "if" && word != "ifdef")) return std::nullopt;
  Group group{.begin = hash};
  TokenIndex body = line_end(file, hash);
  int depth = 0;
  for (TokenIndex at = body; at + 1 < file.tokens().size(); ++at) {
    if (!file.is(at, "#") || !is_directive(file, at)) continue;
    const std::string_view kind = file.text(at + 1);
    if (kind.starts_with("if")) {
      ++depth;
    } else if (kind == "endif" && depth-- == 0) {
      group.branches.push_back({body, at});
      group.end = line_end(file, at);
      return group;
    } else if (depth == 0 && (kind == "else" || kind.starts_with("elif"))) {
      group.branches.push_back({body, at});
      body = line_end(file, at);
    }
  }
  return std::nullopt;
}

// Code with an effect: it stores or returns a value. Traps and hints do not count.
bool does_something(const File& file, TokenRange range) {
  for (TokenIndex at = range.begin; at < range.end; ++at) {
    if (is_directive(file, at)) continue;
    if (is_any(file, at, {"=", "+=", "-=", "*=", "|=", "&=", "^=", "++", "--"})) return true;
    if (!is_name(file, at)) continue;
    const std::string_view word = file.text(at);
    if (word == "return" && !file.is(at + 1, ";")) return true;
    if (contains_word(word, "atomic") || contains_word(word, "store") ||
        contains_word(word, "kernel"))
      return true;
  }
  return false;
}

bool is_stub(const File& file, TokenRange range) {
  bool traps = false;
  for (TokenIndex at = range.begin; at < range.end; ++at) {
    if (is_directive(file, at) || !is_name(file, at)) continue;
    const std::string_view word = file.text(at);
    traps |= word == "assert" || word == "__trap" || word == "trap" || word == "asm" ||
             word == "printf" || word == "__builtin_trap" || word == "abort" ||
             contains_word(word, "unreachable") || contains_word(word, "not_implemented") ||
             contains_word(word, "no_device_code") || contains_word(word, "invalid");
  }
  return traps;
}

// return false; and nothing else: the branch for the host, which never calls it.
bool returns_constant(const File& file, TokenRange range) {
  TokenIndex at = range.begin;
  while (at < range.end && is_directive(file, at)) ++at;
  if (at + 2 >= range.end || file.text(at) != "return" || !file.is(at + 2, ";")) return false;
  const std::string_view value = file.text(at + 1);
  const bool is_constant = file.tokens()[at + 1].kind == Kind::kNumber || value == "false" ||
                           value == "true" || value == "nullptr";
  if (!is_constant) return false;
  for (at += 3; at < range.end; ++at)
    if (!is_directive(file, at)) return false;
  return true;
}

// More than constants: the result of the branch depends on something.
bool computes(const File& file, TokenRange range, const cu::Function& function) {
  for (TokenIndex at = range.begin; at < range.end; ++at) {
    if (is_directive(file, at) || !is_name(file, at)) continue;
    for (TokenIndex each = function.parameters.begin; each < function.parameters.end; ++each)
      if (is_name(file, each) && file.text(each) == file.text(at) &&
          is_any(file, each + 1, {",", ")"}))
        return true;
  }
  return false;
}

bool mentions_amd(const File& file, TokenRange range) {
  for (TokenIndex at = range.begin; at < range.end; ++at) {
    if (!is_directive(file, at) || !is_name(file, at)) continue;
    const std::string_view word = file.text(at);
    if (contains_word(word, "rocm") || contains_word(word, "hip") || contains_word(word, "amd"))
      return true;
  }
  return false;
}

// Features of Hopper and later (bulk copies, clusters) have no AMD counterpart to forget.
bool is_for_hopper(const File& file, const Group& group) {
  for (TokenIndex at = group.begin; at < group.end && is_directive(file, at); ++at)
    if (const auto number = literal(file, at); number && number->value >= 900) return true;
  return false;
}

// return; alone, or under `if constexpr (…) {`, with nothing after it.
bool leaves_at_once(const File& file, TokenRange branch) {
  TokenIndex at = branch.begin;
  while (at < branch.end && is_directive(file, at)) ++at;
  if (file.text(at) == "if") {
    at += file.text(at + 1) == "constexpr" ? 2 : 1;
    const TokenIndex close = file.is(at, "(") ? file.partner(at) : kNoToken;
    if (close == kNoToken || close >= branch.end) return false;
    at = close + 1;
  }
  if (file.is(at, "{")) ++at;
  return at + 1 < branch.end && file.text(at) == "return" && file.is(at + 1, ";");
}

// #if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 800 … return; … #endif: the kernel ends there on
// AMD.
bool ends_kernel(const File& file, const cu::Function& function, const Group& group) {
  return function.is_device() && group.branches.size() == 1 &&
         file.compiled(group.branches[0].begin, syntax::cuda::Platform::kAmd) == Truth::kYes &&
         leaves_at_once(file, group.branches[0]) &&
         does_something(file, {group.end, function.body.end});
}

void check_group(CudaCheck& check, const cu::Function& function, const Group& group) {
  const File& file = check.file;
  if (mentions_amd(file, {group.begin, group.end})) return;
  if (ends_kernel(file, function, group))
    return check.report(file.span(cu::TokenRange{group.begin, group.begin + 2}),
                        sure(check, function.name),
                        fmt::format("AMD's compiler does not define __CUDA_ARCH__: {} returns here",
                                    file.text(function.name)));
  if (is_for_hopper(file, group)) return;
  bool hides = false, traps = false, computing = false, constant_only = false;
  for (const TokenRange& branch : group.branches) {
    if (branch.empty()) continue;
    if (file.compiled(branch.begin, syntax::cuda::Platform::kAmd) == Truth::kNo) {
      hides |= does_something(file, branch);
      computing |= computes(file, branch, function);
    } else if (function.is_device() && returns_constant(file, branch)) {
      constant_only = true;
    } else if (!is_stub(file, branch) && does_something(file, branch)) {
      return;
    } else {
      traps |= is_stub(file, branch);
    }
  }
  if (!hides || (constant_only && !computing)) return;
  // Outside the branches the function does nothing.
  if (does_something(file, {function.body.begin, group.begin}) ||
      does_something(file, {group.end, function.body.end}))
    return;
  check.report(file.span(cu::TokenRange{group.begin, group.begin + 2}), sure(check, function.name),
               fmt::format("AMD's compiler does not define __CUDA_ARCH__: {} {} on AMD",
                           file.text(function.name),
                           traps           ? "only traps"
                           : constant_only ? "returns a constant"
                                           : "does nothing"));
}

// #ifdef __HIP_PLATFORM_HCC__ without a newer name next to it.
void find_old_name(CudaCheck& check) {
  const File& file = check.file;
  TokenIndex last = kNoToken;
  for (const TokenIndex at : file.occurrences(kHcc)) {
    if (!is_directive(file, at)) continue;
    TokenIndex hash = at;
    while (hash > 0 && !(file.is(hash, "#") && (file.tokens()[hash].flags & cu::kFirstOnLine) != 0))
      --hash;
    const std::string_view word = file.text(hash + 1);
    if (hash == last || (!word.starts_with("if") && !word.starts_with("elif"))) continue;
    last = hash;
    bool has_other = false;
    for (TokenIndex token = hash + 2; token < line_end(file, hash); ++token) {
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
  return is_any(file, arch + 1, {">=", ">"});
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
void check_definitions(CudaCheck& check, TokenIndex arch, const Group& group) {
  const File& file = check.file;
  if (group.branches.size() != 1 || mentions_amd(file, {group.begin, group.end}) ||
      !asks_for_newer(file, arch) || is_for_hopper(file, group))
    return;
  const TokenRange branch = group.branches[0];
  if (branch.empty() || file.compiled(branch.begin, syntax::cuda::Platform::kAmd) != Truth::kNo ||
      !is_meant_for_amd(check, group.begin) || !has_definition(file, branch))
    return;
  check.report(file.span(cu::TokenRange{group.begin, group.begin + 2}),
               sure(check, group.begin, Confidence::kMedium),
               "AMD's compiler does not define __CUDA_ARCH__: this definition is missing on AMD");
}

void find(CudaCheck& check) {
  const File& file = check.file;
  if (is_bound_to_nvidia(check)) return;
  find_old_name(check);
  std::vector<TokenIndex> seen;
  for (const TokenIndex at : file.occurrences(kArch)) {
    if (!is_directive(file, at) || check.on_amd(at) == Truth::kNo) continue;
    const cu::Function* function = file.function_at(at);
    const bool is_inside = function != nullptr && function->body.contains(at);
    const auto group = group_of(file, at);
    if (!is_inside) {
      if (group) check_definitions(check, at, *group);
      continue;
    }
    if (!group || std::find(seen.begin(), seen.end(), group->begin) != seen.end()) continue;
    seen.push_back(group->begin);
    check_group(check, *function, *group);
  }
}

}  // namespace

Rule cuda_arch_hides_code() {
  return {.code = "HW504",
          .name = "cuda-arch-hides-code",
          .summary = "__CUDA_ARCH__ test that leaves a function empty on AMD",
          .severity = Severity::kError,
          .relevance = Relevance::kAll,
          .triggers = {kArch, kHcc},
          .cuda = find};
}

}  // namespace hipwright::lint::rules
