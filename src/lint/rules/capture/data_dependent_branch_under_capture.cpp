// SPDX-License-Identifier: MIT
// The program decides by a tensor's values while a graph is recorded.
//
// ## What it finds
//
// `if`, `while`, `assert` and `a if c else b` whose condition is a value on the device (`x.any()`,
// `torch.equal(a, b)`, `x > 0`, `.item()`), inside code that a CUDA graph records. A branch on a
// tensor's shape, right in the recorded block, is found with low confidence. In a model's
// `forward()` and `apply()`, which others record, also `assert scale == other` of whole tensors.
//
// ## Why it matters
//
// To decide, the host must read the value: the read breaks the capture. Where the value was on the
// host, or is a shape, the decision of the recording holds for every replay, whatever the data is
// then. A `while` on data cannot be recorded at all.
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
// - The condition is about a setting, a type, `None`, or a number that was known before.
// - A graph is recorded for each shape, and the right one is replayed.
#include <algorithm>
#include <array>

#include "lint/python/around.h"
#include "lint/python/captured.h"
#include "lint/rule.h"
#include "syntax/python/flow.h"

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

// The condition of a statement; empty: it has none.
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
      if (name.size() == 3 && is_one_of(kQuestions, file.text(at))) return true;
    } else if (!file.is(name.begin, "np") && is_one_of(kReductions, file.text(at))) {
      return true;
    }
  }
  return false;
}

// `x > 0` and `x` itself, where x is a tensor.
bool compares_a_tensor(const File& file, TokenRange condition) {
  for (TokenIndex at = condition.begin; at < condition.end; ++at) {
    if (file.tokens()[at].kind != Kind::kName || (at > 0 && file.is(at - 1, "."))) continue;
    const bool compared = at + 1 < condition.end && is_one_of(kComparisons, file.text(at + 1)) &&
                          file.tokens()[at + 2].kind == Kind::kNumber;
    if (compared && looks_like_tensor(file, at)) return true;
  }
  return false;
}

bool asks_for_a_shape(const File& file, TokenRange condition) {
  bool compared = false, shape = false;
  for (TokenIndex at = condition.begin; at < condition.end; ++at) {
    compared |= is_one_of(kComparisons, file.text(at));
    shape |= at > 0 && file.is(at - 1, ".") && is_one_of(kShapes, file.text(at));
  }
  return compared && shape;
}

const Name kTensor("Tensor");

// forward(), forward_cuda(), apply(): what runs for every step.
bool is_step(std::string_view function) {
  return function.starts_with("forward") || function == "apply" || function == "__call__";
}

// scale == other, as a whole, where one of them is a parameter that is a tensor.
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

// The truth of a comparison of tensors is on the device.
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
                 "the host waits for the comparison of tensors, which a recording cannot do: "
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
      check.report(file.span(condition), depth <= 1 ? Confidence::kHigh : Confidence::kMedium,
                   loops ? "a loop on data cannot be recorded: replay the graph in the loop instead"
                         : "the host reads a value to decide, which a recording cannot do");
    else if (compares_a_tensor(file, condition))
      check.report(file.span(condition), Confidence::kMedium,
                   "the host reads a value to decide, which a recording cannot do");
    else if (depth == 0 && statement.kind != StatementKind::kAssert &&
             asks_for_a_shape(file, condition))
      check.report(file.span(condition), Confidence::kLow,
                   "every replay takes the branch that the recording took");
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
          .summary = "a decision by values on the device while a graph is recorded",
          .severity = Severity::kError,
          .triggers = triggers(),
          .python = find};
}

}  // namespace hipwright::lint::rules
