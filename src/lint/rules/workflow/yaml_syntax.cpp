// SPDX-License-Identifier: MIT
// Invalid YAML.
//
// ## What it finds
//
// Text that is not YAML: a line that breaks out of a block scalar, tabs as indentation, unclosed
// quotes and brackets, keys that are defined twice.
//
// ## Why it matters
//
// GitHub does not run a workflow that it cannot read, and reports it only on the Actions page, not
// on the pull request. A heredoc whose lines begin in the first column is the usual cause: the
// first of them ends the `run: |` block.
//
// ## Example
//
// ```yaml
// - run: |
//     python - <<'PY'
// import torch
// PY
// ```
//
// ## Use instead
//
// ```yaml
// - run: |
//     python - <<'PY'
//     import torch
//     PY
// ```
//
// ## When it is not a bug
//
// - Never: a file with this finding does not run.
#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

void find(WorkflowCheck& check) {
  for (const syntax::Problem& problem : check.file.yaml().problems())
    check.report(problem.span, Confidence::kHigh, problem.what);
}

}  // namespace

Rule yaml_syntax() {
  return {.code = "HC101",
          .name = "yaml-syntax",
          .summary = "invalid YAML",
          .severity = Severity::kError,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
