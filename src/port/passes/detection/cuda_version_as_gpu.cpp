// SPDX-License-Identifier: MIT
// Conditions that use torch.version.cuda to detect a GPU.
#include <algorithm>
#include <array>

#include "port/pass.h"
#include "port/python/context.h"
#include "port/python/imported_names.h"
#include "port/python/lint_findings.h"

namespace hipwright::port::passes {

using namespace syntax::python;

namespace {

// Can an expression begin behind it?
bool begins_expression(const File& file, TokenIndex behind) {
  const Kind kind = file.tokens()[behind].kind;
  const std::string_view text = file.text(behind);
  static constexpr std::array<std::string_view, 7> kOperands = {"is", "None", "True", "False",
                                                                ")",  "]",    "}"};
  const bool is_operand =
      kind == Kind::kString || kind == Kind::kNumber || (kind == Kind::kName && !is_keyword(text));
  return !is_operand && std::ranges::find(kOperands, text) == kOperands.end();
}

// Is only its presence tested, not the version?
bool is_condition(const File& file, TokenRange range) {
  static constexpr std::array<std::string_view, 8> kBefore = {"if",     "elif",  "and",    "or",
                                                              "assert", "while", "return", "="};
  static constexpr std::array<std::string_view, 5> kAfter = {"and", "or", ":", ")", "else"};
  if (range.begin < 2) return false;
  const std::string_view after = file.text(range.end);
  if (file.tokens()[range.end].kind != Kind::kNewline &&
      std::ranges::find(kAfter, after) == kAfter.end())
    return false;
  TokenIndex first = range.begin;
  while (first > 1 && file.is(first - 1, "not")) --first;
  if (first != range.begin) return begins_expression(file, first - 1);
  const std::string_view before = file.text(first - 1);
  const bool is_bracketed = before == "(" && (range.size() > 5 || file.is(first - 2, "bool"));
  return is_bracketed || std::ranges::find(kBefore, before) != kBefore.end();
}

// if torch.version.cuda is not None: …
void gate_version(PythonContext& context, const lint::Reported& found) {
  const File& file = context.file;
  const TokenIndex at = token_at(file, found.diagnostic.span.begin);
  if (at == kNoToken) return;
  TokenRange condition{at, at + 5};  // torch . version . cuda
  bool is_true = true;
  if (file.compact(condition) == "torch.version.cuda") {
    if (file.is(condition.end, "is") && file.is(condition.end + 1, "not")) {
      condition.end += 3;
    } else if (file.is(condition.end, "is")) {
      condition.end += 2;
      is_true = false;
    }
    if (is_condition(file, condition) &&
        context.gate_truth(condition, is_true, {"HP102", "torch.version.cuda is None on ROCm"}))
      return;
  }
  context.report("HP102", Severity::kWarning, found.diagnostic.span, found.diagnostic.message);
}

void apply(PythonContext& context) {
  for (const lint::Reported& each : findings(context, "HW502")) gate_version(context, each);
}

}  // namespace

Pass cuda_version_as_gpu() {
  return {.codes = {"HP102"}, .python = apply};
}

}  // namespace hipwright::port::passes
