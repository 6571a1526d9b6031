// SPDX-License-Identifier: MIT
// Targets taken from rocminfo by a pattern.
//
// ## What it finds
//
// `rocminfo | grep -o 'gfx…'` and the like in a script.
//
// ## Why it matters
//
// From ROCm 6.1 on, `rocminfo` also prints ISA names: on an MI300X the pattern gives `gfx942`,
// `gfx942:sramecc+:xnack-` and `gfx9` of `gfx9-4-generic`, which no compiler accepts together.
//
// ## Example
//
// ```yaml
// - run: echo "ARCH=$(rocminfo | grep -o 'gfx[0-9a-f]*' | head -1)" >> "$GITHUB_ENV"
// ```
//
// ## Use instead
//
// ```yaml
// - run: hipwright ci arches --format env >> "$GITHUB_ENV"
// ```
//
// ## When it is not a bug
//
// - A pattern that matches the agents' `Name:` lines only, such as `grep -oP '^  Name:
//   +\Kgfx\w+'`: not reported.
#include <algorithm>

#include "base/words.h"
#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

void find(WorkflowCheck& check) {
  for (const Job& job : check.file.jobs())
    for (const Step& step : job.steps) {
      if (step.run == nullptr) continue;
      const std::string_view script = step.run->value;
      for (std::size_t at = script.find("rocminfo"); at != script.npos;
           at = script.find("rocminfo", at + 8)) {
        const std::size_t end = std::min(script.find('\n', at), script.size());
        const std::string_view line = script.substr(at, end - at);
        const bool filters = line.find('|') != line.npos && has_any(line, {"grep", "awk", "sed"});
        if (filters && line.find("gfx") != line.npos &&
            !has_any(line, {"Name", "grep -q", "grep -c"}))
          check.report(source_span(*step.run, {at, at + 8}), Confidence::kHigh,
                       "this also matches ISA names: use hipwright ci arches, or match the agents' "
                       "Name: lines only");
      }
    }
}

}  // namespace

Rule rocminfo_grep() {
  return {.code = "HC403",
          .name = "rocminfo-grep",
          .summary = "targets taken from rocminfo by a pattern",
          .severity = Severity::kWarning,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
