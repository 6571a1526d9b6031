// SPDX-License-Identifier: MIT
// Outputs of a step that has not run.
//
// ## What it finds
//
// `steps.ID` where no earlier step of the job has that id.
//
// ## Why it matters
//
// The expression is the empty string, so a condition is silently false and a path silently empty.
//
// ## Example
//
// ```yaml
// - id: arch
//   run: echo "gfx=gfx942" >> "$GITHUB_OUTPUT"
// - run: make ARCH=${{ steps.arches.outputs.gfx }}
// ```
//
// ## Use instead
//
// ```yaml
// - run: make ARCH=${{ steps.arch.outputs.gfx }}
// ```
//
// ## When it is not a bug
//
// - A step of a composite action that shares the name: the contexts are separate.
#include <fmt/format.h>

#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

bool has_step(const Job& job, std::string_view id, const Step* before) {
  for (const Step& step : job.steps) {
    if (&step == before) return false;
    if (step.id != nullptr && same_name(step.id->value, id)) return true;
  }
  return false;
}

void find(WorkflowCheck& check) {
  for (const Placed& placed : check.file.expressions())
    for (const Reference& reference : placed.parsed.references) {
      if (reference.context() != "steps" || placed.job == nullptr) continue;
      const std::size_t dot = reference.path.find('.');
      if (dot == std::string::npos) continue;
      const std::string id =
          reference.path.substr(dot + 1, reference.path.find('.', dot + 1) - dot - 1);
      if (id == "*" || has_step(*placed.job, id, placed.step)) continue;
      check.report(source_span(*placed.node, {placed.span.begin + reference.span.begin,
                                              placed.span.begin + reference.span.end}),
                   Confidence::kHigh, fmt::format("no earlier step has the id '{}'", id));
    }
}

}  // namespace

Rule unknown_step() {
  return {.code = "HC106",
          .name = "unknown-step",
          .summary = "outputs of a step that has not run",
          .severity = Severity::kWarning,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
