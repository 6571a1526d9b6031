// SPDX-License-Identifier: MIT
// The program branches on tensor values during graph capture.
//
// ## What it finds
//
// `if`, `while`, `assert` and `a if c else b` whose condition is a value on the device (`x.any()`,
// `torch.equal(a, b)`, `x > 0`, `.item()`), in code that runs during CUDA graph capture. A branch
// on a tensor's shape, or on an environment variable, directly in the captured block is reported
// with low confidence. In a model's
// `forward()` and `apply()`, which callers may capture, also `assert scale == other` of whole
// tensors.
//
// ## Why it matters
//
// To decide, the host must read the value, and the read breaks the capture. If the value is on the
// host or is a shape, the decision made during capture holds for every replay, whatever the data is
// then. A `while` loop on data cannot be captured at all.
//
// ## Example
//
// ```python
// with torch.cuda.graph(graph):
//     while residual.max() > 1e-3:
//         x, residual = step(x)
// ```
//
// ## Use instead
//
// ```python
// with torch.cuda.graph(graph):
//     x, residual = step(x)
// while residual.max() > 1e-3:
//     graph.replay()
// ```
//
// ## When it is not a bug
//
// - The condition tests a setting, a type, `None`, or a number known beforehand.
// - One graph is captured per shape, and the matching one is replayed.
#include <algorithm>
#include <array>

#include "base/words.h"
#include "lint/python/platform_choice.h"
#include "lint/rule.h"
#include "syntax/python/flow.h"
#include "syntax/python/graph_capture.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

constexpr std::array<std::string_view, 11> kReductions = {
    "any", "all", "max", "min", "sum", "item", "mean", "norm", "count_nonzero", "isnan", "amax"};
constexpr std::array<std::string_view, 6> kQuestions = {"any",        "all",      "equal",
                                                        "is_nonzero", "isfinite", "allclose"};
constexpr std::array<std::string_view, 3> kShapes = {"shape", "size", "numel"};
constexpr std::array<std::string_view, 6> kComparisons = {"<", ">", "<=", ">=", "==", "!="};

// The condition of a statement; empty if it has none.
TokenRange condition_of(const File& file, const Statement& statement) {
  const TokenRange tokens = statement.tokens;
  switch (statement.kind) {
    case StatementKind::kIf:
    case StatementKind::kElif:
    case StatementKind::kWhile:
    case StatementKind::kAssert:
      return {tokens.begin + 1, tokens.end};
    default:
      break;
  }
  TokenRange condition;
  for (TokenIndex at = tokens.begin; at < tokens.end; at = file.skip(at)) {
    if (file.is(at, "if")) condition.begin = at + 1;
    if (file.is(at, "else") && condition.begin != 0) return {condition.begin, at};
  }
  return {};
}

// x.any(), torch.equal(a, b): a value on the device.
bool asks_the_device(const File& file, TokenRange condition) {
  for (TokenIndex at = condition.begin; at + 1 < condition.end; ++at) {
    if (file.tokens()[at].kind != Kind::kName || !file.is(at + 1, "(") || !file.is(at - 1, "."))
      continue;
    const TokenRange name = file.dotted(at);
    if (file.is(name.begin, "torch")) {
      if (name.size() == 3 && is_any(file.text(at), kQuestions)) return true;
    } else if (!file.is(name.begin, "np") && is_any(file.text(at), kReductions)) {
      return true;
    }
  }
  return false;
}

// `x > 0` or `x` itself, where x is a tensor.
bool compares_a_tensor(const File& file, TokenRange condition) {
  for (TokenIndex at = condition.begin; at < condition.end; ++at) {
    if (file.tokens()[at].kind != Kind::kName || (at > 0 && file.is(at - 1, "."))) continue;
    const bool compared = at + 1 < condition.end && is_any(file.text(at + 1), kComparisons) &&
                          file.tokens()[at + 2].kind == Kind::kNumber;
    if (compared && looks_like_tensor(file, at)) return true;
  }
  return false;
}

bool asks_for_a_shape(const File& file, TokenRange condition) {
  bool compared = false, shape = false;
  for (TokenIndex at = condition.begin; at < condition.end; ++at) {
    compared |= is_any(file.text(at), kComparisons);
    shape |= at > 0 && file.is(at - 1, ".") && is_any(file.text(at), kShapes);
  }
  return compared && shape;
}

// os.environ.get("FAST"), os.getenv("FAST"), envs.VLLM_FAST
bool asks_the_environment(const File& file, TokenRange condition) {
  for (TokenIndex at = condition.begin; at + 1 < condition.end; ++at)
    if (file.tokens()[at].kind == Kind::kName && (at == 0 || !file.is(at - 1, ".")) &&
        (file.is(at, "os") || file.is(at, "envs")) && file.is(at + 1, "."))
      return true;
  return false;
}

const Name kTensor("Tensor");

// forward(), forward_cuda(), apply(): functions that run in every step.
bool is_step(std::string_view function) {
  return function.starts_with("forward") || function == "apply" || function == "__call__";
}

// scale == other as the whole condition, where one of them is a tensor parameter.
bool compares_tensors(const File& file, TokenRange condition) {
  TokenIndex middle = condition.begin;
  while (middle < condition.end && !file.is(middle, "==") && !file.is(middle, "!=")) ++middle;
  if (middle == condition.begin || middle + 1 >= condition.end) return false;
  const TokenRange left{condition.begin, middle}, right{middle + 1, condition.end};
  const auto is_dotted = [&](TokenRange side) {
    if (file.tokens()[side.begin].kind != Kind::kName || is_keyword(file.text(side.begin)))
      return false;
    const TokenRange name = file.dotted(side.begin);
    return name.begin == side.begin && name.end == side.end;
  };
  if (!is_dotted(left) || !is_dotted(right)) return false;
  const auto is_given = [&](TokenRange side) {
    if (side.size() != 1) return false;
    for (const Binding& binding : bindings(file, variable_at(file, side.begin)))
      if (binding.kind == BindingKind::kParameter && file.is(binding.name + 1, ":"))
        for (TokenIndex at = binding.name + 2; at < binding.name + 6; ++at) {
          if (file.is(at, ",") || file.is(at, ")") || file.is(at, "=")) break;
          if (file.is(at, kTensor)) return true;
        }
    return false;
  };
  return is_given(left) || is_given(right);
}

// The truth value of a tensor comparison is on the device.
void find_compared(PythonCheck& check) {
  const File& file = check.file;
  if (check.facts.is_test || is_for_others(check) || !file.has(kTensor)) return;
  for (StatementIndex index = 0; index < file.statements().size(); ++index) {
    const Statement& statement = file.statements()[index];
    if (statement.kind != StatementKind::kAssert && statement.kind != StatementKind::kIf) continue;
    const TokenRange condition = condition_of(file, statement);
    if (condition.size() < 3 || condition.size() > 12 || !is_step(function_name(file, index)) ||
        !compares_tensors(file, condition) || file.runs_on_rocm(index) == Truth::kNo)
      continue;
    check.report(file.span(condition), Confidence::kMedium,
                 "comparing tensors makes the host wait for the device, which breaks a capture; "
                 "compare with `is`");
  }
}

void find(PythonCheck& check) {
  const File& file = check.file;
  find_compared(check);
  const std::vector<Name> words = capture_words();
  if (std::ranges::none_of(words, [&](const Name& word) { return file.has(word); })) return;
  for (const auto& [index, depth] : captured_statements(file)) {
    const Statement& statement = file.statements()[index];
    const TokenRange condition = condition_of(file, statement);
    if (condition.empty() || file.runs_on_rocm(index) == Truth::kNo) continue;
    const bool loops = statement.kind == StatementKind::kWhile;
    if (asks_the_device(file, condition))
      check.report(
          file.span(condition), depth <= 1 ? Confidence::kHigh : Confidence::kMedium,
          loops ? "a data-dependent loop cannot be captured; replay the graph in the loop instead"
                : "the branch reads a value from the device, which breaks the capture");
    else if (compares_a_tensor(file, condition))
      check.report(file.span(condition), Confidence::kMedium,
                   "the branch reads a value from the device, which breaks the capture");
    else if (depth == 0 && statement.kind != StatementKind::kAssert &&
             (asks_for_a_shape(file, condition) || asks_the_environment(file, condition)))
      check.report(file.span(condition), Confidence::kLow,
                   "every replay takes the branch chosen during capture");
  }
}

std::vector<Name> triggers() {
  std::vector<Name> names = capture_words();
  names.push_back(kTensor);
  return names;
}

}  // namespace

Rule data_dependent_branch_under_capture() {
  return {.code = "HW606",
          .name = "data-dependent-branch-under-capture",
          .summary = "branch on device values during graph capture",
          .severity = Severity::kError,
          .triggers = triggers(),
          .python = find};
}

}  // namespace hipwright::lint::rules
