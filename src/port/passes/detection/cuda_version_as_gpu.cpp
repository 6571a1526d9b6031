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

// Is only its presence tested, not the version?
bool is_condition(const File& file, TokenRange range) {
  static constexpr std::array<std::string_view, 9> kBefore = {
      "if", "elif", "not", "and", "or", "assert", "while", "return", "="};
  static constexpr std::array<std::string_view, 5> kAfter = {"and", "or", ":", ")", "else"};
  if (range.begin < 2) return false;
  const std::string_view before = file.text(range.begin - 1), after = file.text(range.end);
  const bool is_bracketed = before == "(" && (range.size() > 5 || file.is(range.begin - 2, "bool"));
  const bool ends = file.tokens()[range.end].kind == Kind::kNewline ||
                    std::find(kAfter.begin(), kAfter.end(), after) != kAfter.end();
  return ends &&
         (is_bracketed || std::find(kBefore.begin(), kBefore.end(), before) != kBefore.end());
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
