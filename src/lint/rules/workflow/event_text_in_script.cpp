// SPDX-License-Identifier: MIT
// Text of an event in a script.
//
// ## What it finds
//
// `${{ github.event… }}`, `${{ github.head_ref }}` and `${{ inputs… }}` inside `run:`, or in the
// script of actions/github-script.
//
// ## Why it matters
//
// The text is pasted into the script before the shell reads it: a branch named `$(curl …)` or a
// title with a quote runs as a command, with the job's token.
//
// ## Example
//
// ```yaml
// - run: echo "${{ github.event.pull_request.title }}"
// ```
//
// ## Use instead
//
// ```yaml
// - env:
//     TITLE: ${{ github.event.pull_request.title }}
//   run: echo "$TITLE"
// ```
//
// ## When it is not a bug
//
// - Numbers and ids of the event, which nobody chooses: not reported.
#include <fmt/format.h>

#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

bool is_harmless(std::string_view path) {
  return path.ends_with(".number") || path.ends_with(".id") || path.ends_with(".sha") ||
         path.ends_with("_at") || path.starts_with("github.event.repository.") ||
         path == "github.event.action" || path == "github.event.created";
}

bool is_chosen_by_others(std::string_view path) {
  return path == "github.head_ref" || path.starts_with("inputs.") || path == "github.event" ||
         path.starts_with("github.event.");
}

void find(WorkflowCheck& check) {
  for (const Placed& placed : check.file.expressions()) {
    if (placed.step == nullptr) continue;
    const Node* script = placed.step->action() == "actions/github-script"
                             ? check.file.get(placed.step->with, "script")
                             : placed.step->run;
    if (placed.node != script) continue;
    for (const Reference& reference : placed.parsed.references)
      if (is_chosen_by_others(reference.path) && !is_harmless(reference.path))
        check.report(
            source_span(*placed.node, {placed.span.begin + reference.span.begin,
                                       placed.span.begin + reference.span.end}),
            reference.path.starts_with("inputs.") ? Confidence::kMedium : Confidence::kHigh,
            fmt::format("{} becomes part of the script: pass it through env", reference.path));
  }
}

}  // namespace

Rule event_text_in_script() {
  return {.code = "HC304",
          .name = "event-text-in-script",
          .summary = "text of an event in a script",
          .severity = Severity::kError,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
