// SPDX-License-Identifier: MIT
// Contexts where GitHub does not offer them.
//
// ## What it finds
//
// A context or function in a place where it does not exist: `env` in a job's `if`, `runs-on` or
// `strategy`, `secrets` in a condition, `steps` at job level, `always()` outside conditions,
// `hashFiles()` outside steps.
//
// ## Why it matters
//
// GitHub rejects the file. `env.` at job level is the most frequent: variables of the workflow
// exist on the runner only, and a job's keys are evaluated before there is one.
//
// ## Example
//
// ```yaml
// jobs:
//   gpu:
//     if: env.HAS_GPU == 'true'
// ```
//
// ## Use instead
//
// ```yaml
// jobs:
//   gpu:
//     if: vars.HAS_GPU == 'true'   # a variable of the repository
// ```
//
// ## When it is not a bug
//
// - GitHub extends the table from time to time: report a place that it accepts.
#include <fmt/format.h>

#include "base/words.h"
#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

using Contexts = std::initializer_list<std::string_view>;

Contexts allowed(Site site) {
  switch (site) {
    case Site::kRunName:
    case Site::kConcurrency:
    case Site::kCallDefault: {
      static const Contexts all = {"github", "inputs", "vars"};
      return all;
    }
    case Site::kEnv: {
      static const Contexts all = {"github", "secrets", "inputs", "vars"};
      return all;
    }
    case Site::kJobIf:
    case Site::kJobStrategy: {
      static const Contexts all = {"github", "needs", "vars", "inputs"};
      return all;
    }
    case Site::kJobConcurrency:
    case Site::kJobContainer:
    case Site::kJobValue:
    case Site::kJobWith: {
      static const Contexts all = {"github", "needs", "strategy", "matrix", "vars", "inputs"};
      return all;
    }
    case Site::kJobEnv:
    case Site::kJobSecrets: {
      static const Contexts all = {"github", "needs",   "strategy", "matrix",
                                   "vars",   "secrets", "inputs"};
      return all;
    }
    case Site::kJobCredentials: {
      static const Contexts all = {"github", "needs", "strategy", "matrix",
                                   "env",    "vars",  "secrets",  "inputs"};
      return all;
    }
    case Site::kJobContainerEnv: {
      static const Contexts all = {"github", "needs", "strategy", "matrix",  "job",
                                   "runner", "env",   "vars",     "secrets", "inputs"};
      return all;
    }
    case Site::kJobDefaults: {
      static const Contexts all = {"github", "needs", "strategy", "matrix",
                                   "env",    "vars",  "inputs"};
      return all;
    }
    case Site::kJobOutputs:
    case Site::kStep: {
      static const Contexts all = {"github", "needs", "strategy", "matrix", "job",   "runner",
                                   "env",    "vars",  "secrets",  "steps",  "inputs"};
      return all;
    }
    case Site::kJobEnvironmentUrl:
    case Site::kStepIf: {
      static const Contexts all = {"github", "needs", "strategy", "matrix", "job",
                                   "runner", "env",   "vars",     "steps",  "inputs"};
      return all;
    }
    case Site::kCallOutput: {
      static const Contexts all = {"github", "jobs", "vars", "inputs"};
      return all;
    }
    case Site::kNowhere:
      break;
  }
  return {};
}

bool is_condition(Site site) {
  return site == Site::kJobIf || site == Site::kStepIf;
}

void complain(WorkflowCheck& check, const Placed& placed, Span part, std::string what) {
  check.report(
      source_span(*placed.node, {placed.span.begin + part.begin, placed.span.begin + part.end}),
      Confidence::kHigh, std::move(what));
}

std::string advice(std::string_view context, Site site) {
  if (context == "env") return "; use vars, a job's output, or a condition on the steps";
  if (context == "secrets" && is_condition(site))
    return "; put the secret into the job's env and test that in the step";
  return "";
}

void find(WorkflowCheck& check) {
  for (const Placed& placed : check.file.expressions()) {
    if (placed.site == Site::kNowhere) {
      complain(check, placed, {0, placed.text.size()}, "expressions are not evaluated here");
      continue;
    }
    for (const Reference& reference : placed.parsed.references)
      if (!is_any(reference.context(), allowed(placed.site)))
        complain(check, placed, reference.span,
                 fmt::format("the context {} does not exist here{}", reference.context(),
                             advice(reference.context(), placed.site)));
    for (const Call& call : placed.parsed.calls) {
      const std::string name = lowered(call.function);
      if (is_any(name, {"always", "success", "failure", "cancelled"}) && !is_condition(placed.site))
        complain(check, placed, call.span,
                 fmt::format("{}() exists in conditions only", call.function));
      if (name == "hashfiles" && placed.site != Site::kStep && placed.site != Site::kStepIf &&
          placed.site != Site::kJobOutputs)
        complain(check, placed, call.span, "hashFiles() exists in steps only");
    }
  }
}

}  // namespace

Rule context_not_available() {
  return {.code = "HC104",
          .name = "context-not-available",
          .summary = "contexts where GitHub does not offer them",
          .severity = Severity::kError,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
