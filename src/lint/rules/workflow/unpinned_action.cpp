// SPDX-License-Identifier: MIT
// Action pinned to a tag or branch.
//
// ## What it finds
//
// `uses: owner/action@v4` and other references that are not a 40-digit commit; container images
// without a digest.
//
// ## Why it matters
//
// Whoever can move the tag runs code in this workflow, with its token and, on self-hosted runners,
// on the machine. Dependabot updates commits as well as tags.
//
// ## Example
//
// ```yaml
// - uses: actions/checkout@v4
// ```
//
// ## Use instead
//
// ```yaml
// - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
// ```
//
// ## When it is not a bug
//
// - Actions and workflows of the same repository (`./…`): not reported.
#include <fmt/format.h>

#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

bool is_commit(std::string_view text) {
  return text.size() == 40 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

void check_uses(WorkflowCheck& check, const Node* uses) {
  if (uses == nullptr || uses->value.starts_with("./")) return;
  const std::string_view text = uses->value;
  if (text.starts_with("docker://")) {
    if (text.find("@sha256:") == text.npos)
      report(check, *uses, Confidence::kHigh, "the image is not pinned to a digest (@sha256:…)");
    return;
  }
  const std::size_t at = text.find('@');
  if (at == text.npos) {
    report(check, *uses, Confidence::kHigh, "the action needs a version: owner/name@commit");
  } else if (!is_commit(text.substr(at + 1))) {
    report(check, *uses, Confidence::kHigh,
           fmt::format("'{}' can be moved: pin the action to a commit, with the tag in a comment",
                       text.substr(at + 1, 40)));
  }
}

void check_image(WorkflowCheck& check, const Node* image) {
  if (image == nullptr || image->kind != syntax::yaml::Kind::kScalar) return;
  const std::string_view text = image->value;
  if (text.empty() || text.find("@sha256:") != text.npos || text.find("${{") != text.npos) return;
  report(check, *image, Confidence::kHigh, "the container is not pinned to a digest (@sha256:…)");
}

void find(WorkflowCheck& check) {
  for (const Job& job : check.file.jobs()) {
    check_uses(check, job.uses);
    if (job.container != nullptr)
      check_image(check, job.container->kind == syntax::yaml::Kind::kMapping
                             ? check.file.get(job.container, "image")
                             : job.container);
    for (const Step& step : job.steps) check_uses(check, step.uses);
  }
}

}  // namespace

Rule unpinned_action() {
  return {.code = "HC302",
          .name = "unpinned-action",
          .summary = "action pinned to a tag or branch",
          .severity = Severity::kWarning,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
