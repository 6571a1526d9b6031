// SPDX-License-Identifier: MIT
// Target that the documents and the build do not name.
//
// ## What it finds
//
// A gfx name in a workflow that no Markdown page and no build file of the repository names,
// although these name others. `hipwright ci check` reads them; `hipwright lint` does not.
//
// ## Why it matters
//
// The document says gfx1201 and the workflow builds for gfx1102: the runner's GPU gets no code,
// and the job that should prove it does not.
//
// ## Example
//
// ```yaml
// env:
//   HIP_ARCHES: gfx1102     # docs/ci.md: the Windows runner has a gfx1201
// ```
//
// ## Use instead
//
// ```yaml
// env:
//   HIP_ARCHES: gfx1201
// ```
//
// ## When it is not a bug
//
// - A target that is only compiled for: name it in the documents, too.
#include <algorithm>

#include <fmt/format.h>

#include "arch/arch.h"
#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

void find(WorkflowCheck& check) {
  const auto* documented = check.facts.documented_targets;
  if (documented == nullptr || documented->empty()) return;
  for (const Node& node : check.file.yaml().nodes()) {
    if (node.kind != syntax::yaml::Kind::kScalar) continue;
    const std::string_view text = node.value;
    for (std::size_t at = text.find("gfx"); at != text.npos; at = text.find("gfx", at + 3)) {
      const std::size_t end =
          std::min(text.find_first_not_of("0123456789abcdef", at + 3), text.size());
      const std::string name(text.substr(at, end - at));
      if (arch::find(name) == nullptr || documented->contains(name)) continue;
      const auto& [other, place] = *documented->begin();
      check.report(
          source_span(node, {at, end}), Confidence::kMedium,
          fmt::format("no document or build file names {}; {} names {}", name, place, other));
    }
  }
}

}  // namespace

Rule target_contradicts_docs() {
  return {.code = "HC405",
          .name = "target-contradicts-docs",
          .summary = "target that the documents and the build do not name",
          .severity = Severity::kWarning,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
