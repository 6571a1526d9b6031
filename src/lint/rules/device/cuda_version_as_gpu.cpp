// SPDX-License-Identifier: MIT
// The CUDA version is used to detect a GPU.
//
// ## What it finds
//
// A condition on `torch.version.cuda`, or an unguarded use of it that fails for None
// (`torch.version.cuda.split(".")`, `float(torch.version.cuda)`, `torch.version.cuda < "12.1"`), in
// a function that never checks `torch.version.hip` or the platform. Also `torch.hip.is_available()`
// and similar calls: there is no such module.
//
// ## Why it matters
//
// In a ROCm build of PyTorch `torch.version.cuda` is None, although `torch.cuda` works. The program
// takes its CPU path, skips its kernels, or fails when it compares None with a number.
//
// ## Example
//
// ```python
// if torch.version.cuda is not None:
//     use_gpu_kernels()
// ```
//
// ## Use instead
//
// ```python
// if torch.cuda.is_available():
//     use_gpu_kernels()
// ```
//
// ## When it is not a bug
//
// - The code is really about CUDA: the version is read too, the function is named after CUDA, or
//   the same condition goes on to compare a compute capability.
// - ROCm has a branch of its own.
#include <algorithm>
#include <array>

#include "base/words.h"
#include "lint/python/platform_choice.h"
#include "lint/rule.h"
#include "syntax/python/flow.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kVersion("version");
const Name kCuda("cuda");
const Name kTorch("torch");
const Name kHip("hip");

// Words in the names of functions that serve all platforms, although they contain "cuda".
constexpr std::array<std::string_view, 7> kCalledByAll = {"mismatch", "compat", "warn",  "check",
                                                          "maybe",    "valid",  "assert"};
constexpr std::array<std::string_view, 4> kOrders = {"<", ">", "<=", ">="};
constexpr std::array<std::string_view, 6> kReaders = {"float",   "int",          "parse",
                                                      "Version", "LooseVersion", "StrictVersion"};

// torch . version . cuda, ending at `cuda`
bool is_cuda_version(const File& file, TokenIndex cuda) {
  return cuda >= 4 && file.is(cuda, kCuda) && file.is(cuda - 2, kVersion) &&
         file.is(cuda - 4, kTorch) && file.is(cuda - 1, ".") && file.is(cuda - 3, ".");
}

// "X", "X is None", "X is not None", "not X" as a whole condition or a part of one.
bool asked_as_a_fact(const File& file, TokenRange name) {
  const TokenIndex next = name.end;
  const bool after = file.is(next, "is") || file.is(next, ":") || file.is(next, "and") ||
                     file.is(next, "or") || file.is(next, ")") || file.is(next, "else") ||
                     file.tokens()[next].kind == Kind::kNewline;
  if (!after || name.begin == 0) return false;
  const std::string_view before = file.text(name.begin - 1);
  // The condition is the version itself.
  if (before == "return" && file.tokens()[next].kind == Kind::kNewline) return false;
  return before == "if" || before == "elif" || before == "not" || before == "and" ||
         before == "or" || before == "assert" || before == "while" || before == "return" ||
         (before == "(" && name.begin >= 2 && file.is(name.begin - 2, "bool")) ||
         (before == "=" && file.is(next, "is"));
}

// CUDA is meant if the same function reads the version (splits or compares it), or is named after
// CUDA.
bool is_about_cuda(const File& file, StatementIndex index) {
  // torch.version.cuda and torch.cuda.get_device_capability() >= (8, 9)
  if (has_word(file, file.statements()[index].tokens, "capability")) return true;
  const StatementIndex function = file.enclosing_def(index);
  if (function != kNoStatement && file.name_of(function) != kNoToken &&
      contains_word(file.text(file.name_of(function)), "cuda"))
    return true;
  const TokenRange where = function_around(file, index);
  // Code that builds a list of NVIDIA targets.
  if (has_word(file, where, "cuda_arch")) return true;
  // f"cu{torch.version.cuda}"
  for (TokenIndex at = where.begin; at < where.end; ++at)
    if (file.tokens()[at].kind == Kind::kString &&
        file.text(at).find("torch.version.cuda") != std::string_view::npos)
      return true;
  for (const TokenIndex at : file.occurrences(kCuda)) {
    if (!where.contains(at) || !is_cuda_version(file, at)) continue;
    const std::string_view next = file.text(at + 1);
    if (next == "." || next == ">=" || next == "<" || next == ">" || next == "==" || next == "<=" ||
        next == "[" || (next == ")" && !file.is(at - 6, "bool")))
      return true;
  }
  return false;
}

// def get_cuda_version(): the caller wants CUDA's. assert_no_cuda_mismatch() runs on all platforms.
bool is_named_after_cuda(std::string_view function) {
  return contains_word(function, "cuda") &&
         std::ranges::none_of(kCalledByAll,
                              [&](std::string_view word) { return contains_word(function, word); });
}

// x.split(…), float(x), x < "12.1", x[:2]: fails for None.
bool is_read(const File& file, TokenIndex cuda) {
  if (file.is(cuda + 1, ".")) return file.is(cuda + 3, "(");
  if (is_any(file.text(cuda + 1), kOrders) || file.is(cuda + 1, "[")) return true;
  if (cuda < 6 || !file.is(cuda + 1, ")") || !file.is(cuda - 5, "(")) return false;
  return is_any(file.text(cuda - 6), kReaders);
}

// get_device_capability()[0] == 9 before it: true for gfx90a and gfx942.
bool lets_amd_through(const File& file, TokenRange tokens, TokenIndex cuda) {
  for (TokenIndex at = tokens.begin; at + 1 < cuda; ++at) {
    const bool is_equal = file.is(at, "=="), is_lower_bound = file.is(at, ">=");
    if ((is_equal && file.is(at + 1, "9")) ||
        (is_lower_bound && (file.is(at + 1, "8") || file.is(at + 1, "9"))))
      return true;
  }
  return false;
}

// Read without a test before it.
bool needs_a_version(const File& file, StatementIndex index, TokenIndex cuda) {
  if (!is_read(file, cuda)) return false;
  // get_device_capability()[0] == 10 and torch.version.cuda >= "12.8": an NVIDIA GPU is meant.
  if (const TokenRange tokens = file.statements()[index].tokens;
      !file.is(cuda + 1, ".") && has_word(file, tokens, "capability") &&
      !lets_amd_through(file, tokens, cuda))
    return false;
  if (is_named_after_cuda(function_name(file, index))) return false;
  // int(torch.version.cuda.split(…)) if torch.version.cuda else 0, and the lines around it.
  const FunctionScope scope(file, index);
  return std::ranges::none_of(file.occurrences(kCuda), [&](TokenIndex at) {
    return at != cuda && is_cuda_version(file, at) && scope.contains(at) &&
           (at < cuda || asked_as_a_fact(file, {at - 4, at + 1}));
  });
}

// version = torch.version.cuda; major = version[0]: stored, then read without a test.
bool is_kept_and_read(const File& file, StatementIndex index, TokenIndex cuda) {
  const Statement& statement = file.statements()[index];
  if (statement.kind != StatementKind::kSimple || cuda + 1 != statement.tokens.end || cuda < 6 ||
      !file.is(cuda - 5, "=") || statement.tokens.begin != cuda - 6 ||
      is_named_after_cuda(function_name(file, index)))
    return false;
  for (const TokenIndex at : uses(file, variable_at(file, cuda - 6))) {
    if (at <= cuda || file.is(at + 1, "=")) continue;
    if (file.is(at + 1, "[")) return true;
    return file.is(at + 1, ".") && file.is(at + 3, "(");
  }
  return false;
}

// torch.hip.is_available(): there is no such module; code under hasattr(torch, "hip") handles this.
void find_hip_module(PythonCheck& check) {
  const File& file = check.file;
  for (const TokenIndex at : file.occurrences(kHip)) {
    if (at < 2 || !file.is(at - 1, ".") || !file.is(at - 2, kTorch) || !file.is(at + 1, ".") ||
        (at > 2 && file.is(at - 3, ".")))
      continue;
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || file.statements()[index].kind == StatementKind::kImport ||
        has_word(file, file.statements()[index].tokens, "hasattr") ||
        file.guarded_by_try(index, "AttributeError"))
      continue;
    bool is_asked = false;
    for (StatementIndex around = file.statements()[index].parent; around != kNoStatement;
         around = file.statements()[around].parent)
      is_asked |= has_word(file, file.statements()[around].tokens, "hasattr");
    if (!is_asked)
      check.report(file.span(TokenRange{at - 2, at + 1}),
                   check.facts.is_test ? Confidence::kLow : Confidence::kMedium,
                   "torch has no module hip; use torch.cuda on ROCm, too");
  }
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (is_for_others(check)) return;
  find_hip_module(check);
  for (const TokenIndex at : file.occurrences(kCuda)) {
    if (!is_cuda_version(file, at)) continue;
    const TokenRange name{at - 4, at + 1};
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || file.token_runs_on_rocm(at) == Truth::kNo) continue;
    if (mentions(file, FunctionScope(file, index), platform_questions())) continue;
    const bool fails = needs_a_version(file, index, at) || is_kept_and_read(file, index, at);
    if (!fails && (!asked_as_a_fact(file, name) || is_about_cuda(file, index))) continue;
    check.report(file.span(name), check.facts.is_test ? Confidence::kLow : Confidence::kMedium,
                 fails ? "torch.version.cuda is None on ROCm, so this fails there"
                       : "torch.version.cuda is None on ROCm even with a GPU; test "
                         "torch.cuda.is_available(), or torch.version.hip too");
  }
}

}  // namespace

Rule cuda_version_as_gpu() {
  return {.code = "HW502",
          .name = "cuda-version-as-gpu",
          .summary = "torch.version.cuda used to detect a GPU",
          .triggers = {kVersion, kHip},
          .python = find};
}

}  // namespace hipwright::lint::rules
