// SPDX-License-Identifier: MIT
// Bash heredoc in a PowerShell step.
//
// ## What it finds
//
// `<<WORD` in a `run` whose shell is PowerShell: by `shell:`, by the job's defaults, or because it
// is the default on Windows.
//
// ## Why it matters
//
// PowerShell has no heredocs: the script is a parse error, and the step fails before its first
// line.
//
// ## Example
//
// ```yaml
// runs-on: windows-2022
// steps:
//   - run: |
//       python - <<'PY'
//       import torch
//       PY
// ```
//
// ## Use instead
//
// ```yaml
//   - shell: bash
//     run: |
//       python - <<'PY'
//       import torch
//       PY
// ```
//
// ## When it is not a bug
//
// - A bit shift in a script of another language that PowerShell passes on.
#include <fmt/format.h>

#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

// "<<" before a word, perhaps quoted; not "<<<".
std::size_t heredoc(std::string_view script) {
  for (std::size_t at = script.find("<<"); at != script.npos; at = script.find("<<", at + 2)) {
    std::size_t word = at + 2;
    if (word < script.size() && script[word] == '-') ++word;
    if (word < script.size() && (script[word] == '\'' || script[word] == '"')) ++word;
    if (word < script.size() && script[word] >= 'A' && script[word] <= 'Z') return at;
  }
  return script.npos;
}

void find(WorkflowCheck& check) {
  for (const Job& job : check.file.jobs())
    for (const Step& step : job.steps) {
      if (step.run == nullptr) continue;
      const std::string shell = check.file.shell(job, step);
      if (shell != "pwsh" && shell != "powershell") continue;
      const std::size_t at = heredoc(step.run->value);
      if (at == std::string_view::npos) continue;
      check.report(
          source_span(*step.run, {at, at + 2}), Confidence::kHigh,
          fmt::format("this step runs in {}, which has no heredocs: set shell: bash, or use "
                      "python -c",
                      shell));
    }
}

}  // namespace

Rule heredoc_in_powershell() {
  return {.code = "HC202",
          .name = "heredoc-in-powershell",
          .summary = "bash heredoc in a PowerShell step",
          .severity = Severity::kError,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
