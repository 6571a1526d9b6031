// SPDX-License-Identifier: MIT
// torch.compile is given a mode that records graphs, for all platforms.
//
// ## What it finds
//
// `torch.compile(…, mode="reduce-overhead")` and `mode="max-autotune"` without a question about the
// platform around them.
//
// ## Why it matters
//
// Both modes record graphs, and max-autotune tries many kernels. On ROCm that has been slower than
// the default mode by a large factor in some models, and fine in others: it must be measured there,
// not taken over.
//
// ## Example
//
// ```python
// model = torch.compile(model, mode="reduce-overhead")
// ```
//
// ## Use instead
//
// ```python
// mode = "default" if torch.version.hip else "reduce-overhead"
// model = torch.compile(model, mode=mode)
// ```
//
// ## When it is not a bug
//
// - It was measured on ROCm and is faster there.
// - The mode is "max-autotune-no-cudagraphs": nothing is recorded.
#include <array>

#include <fmt/format.h>

#include "lint/python/around.h"
#include "lint/rule.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kCompile("compile");

void find(PythonCheck& check) {
  const File& file = check.file;
  if (check.facts.is_nvidia_specific) return;
  for (const TokenIndex at : file.occurrences(kCompile)) {
    if (!file.is(at + 1, "(") || file.compact(file.dotted(at)) != "torch.compile") continue;
    const auto mode = file.keyword_argument(at + 1, "mode");
    if (!mode || mode->size() != 1 || file.tokens()[mode->begin].kind != Kind::kString) continue;
    const std::string value = file.string_value(mode->begin);
    if (value != "reduce-overhead" && value != "max-autotune") continue;
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || file.token_runs_on_rocm(at) == Truth::kNo) continue;
    if (mentions(file, Scope(file, index), platform_questions())) continue;
    check.report(file.span(mode->begin),
                 check.facts.is_test ? Confidence::kLow : Confidence::kMedium,
                 fmt::format("\"{}\" records graphs, which can be much slower on ROCm: use the "
                             "default mode there until it was measured",
                             value));
  }
}

}  // namespace

Rule compile_mode() {
  return {.code = "HW611",
          .name = "compile-mode",
          .summary = "a mode of torch.compile that records graphs, on all platforms",
          .triggers = {kCompile},
          .python = find};
}

}  // namespace hipwright::lint::rules
