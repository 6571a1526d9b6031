// SPDX-License-Identifier: MIT
// Invalid expressions.
//
// ## What it finds
//
// `${{ }}` that does not close, operators and functions that expressions lack, wrong numbers of
// arguments, unknown contexts, strings in double quotes.
//
// ## Why it matters
//
// GitHub rejects the file, or the job fails when the expression is evaluated.
//
// ## Example
//
// ```yaml
// if: github.ref == "refs/heads/main"
// ```
//
// ## Use instead
//
// ```yaml
// if: github.ref == 'refs/heads/main'
// ```
//
// ## When it is not a bug
//
// - Text for another tool that also writes `${{`: write it as `${{ '${{' }}`.
#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

void find(WorkflowCheck& check) {
  for (const Placed& placed : check.file.expressions()) {
    if (!placed.is_closed) {
      check.report(source_span(*placed.node, placed.span), Confidence::kHigh,
                   "unclosed ${{: expected }} in the same value");
      continue;
    }
    for (const syntax::Problem& problem : placed.parsed.problems)
      check.report(source_span(*placed.node, {placed.span.begin + problem.span.begin,
                                              placed.span.begin + problem.span.end}),
                   Confidence::kHigh, problem.what);
  }
}

}  // namespace

Rule expression_syntax() {
  return {.code = "HC103",
          .name = "expression-syntax",
          .summary = "invalid expressions",
          .severity = Severity::kError,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
