// SPDX-License-Identifier: MIT
// PATH changed for one step only.
//
// ## What it finds
//
// A script that sets `PATH` and then runs nothing that uses it, in a step that other steps follow.
//
// ## Why it matters
//
// Each step is a process of its own: the change ends with the step, and the next step's `hipcc` is
// not found, or is another one. `$GITHUB_PATH` is the file that carries it on.
//
// ## Example
//
// ```yaml
// - name: Prepare ROCm paths
//   shell: pwsh
//   run: $env:PATH = "$env:HIP_PATH\bin;$env:PATH"
// - run: hipcc --version
// ```
//
// ## Use instead
//
// ```yaml
// - name: Prepare ROCm paths
//   shell: pwsh
//   run: '"$env:HIP_PATH\bin" >> $env:GITHUB_PATH'
// - run: hipcc --version
// ```
//
// ## When it is not a bug
//
// - The commands of the same step need it, and come after it in the script: not reported.
#include <algorithm>
#include <optional>
#include <vector>

#include "base/words.h"
#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

std::vector<Span> lines_of(std::string_view text) {
  std::vector<Span> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back({at, end});
    at = end + 1;
  }
  return lines;
}

bool sets_path(std::string_view line) {
  const std::string word = lowered(line);
  for (const std::string_view begin :
       {"$env:path", "export path=", "path=", "set path=", "set \"path="})
    if (word.starts_with(begin)) {
      const std::string_view rest = trimmed(std::string_view(word).substr(begin.size()));
      return begin != "$env:path" || rest.starts_with('=') || rest.starts_with("+=");
    }
  return false;
}

// Lines that no changed PATH matters to.
bool is_idle(std::string_view line) {
  const std::string word = lowered(line);
  for (const std::string_view begin : {"#", "echo ", "write-host", "write-output", "export ",
                                       "$env:", "set ", "fi", "done", "}", "if ", "else"})
    if (word.starts_with(begin)) return true;
  return line.empty();
}

void check_step(WorkflowCheck& check, const Step& step) {
  const std::string_view script = step.run->value;
  if (contains_word(script, "github_path")) return;
  std::optional<Span> last;
  for (const Span line : lines_of(script)) {
    const std::string_view text = trimmed(script.substr(line.begin, line.size()));
    if (sets_path(text))
      last = line;
    else if (!is_idle(text))
      last.reset();
  }
  if (last)
    check.report(source_span(*step.run, *last), Confidence::kHigh,
                 "PATH is changed for this step only: append to $GITHUB_PATH for the next ones");
}

void find(WorkflowCheck& check) {
  for (const Job& job : check.file.jobs())
    for (std::size_t i = 0; i + 1 < job.steps.size(); ++i)
      if (job.steps[i].run != nullptr) check_step(check, job.steps[i]);
}

}  // namespace

Rule path_lost() {
  return {.code = "HC201",
          .name = "path-lost",
          .summary = "PATH changed for one step only",
          .severity = Severity::kWarning,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
