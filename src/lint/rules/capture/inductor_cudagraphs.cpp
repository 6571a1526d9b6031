// SPDX-License-Identifier: MIT
// Inductor's graph recording or memory planning is switched on for all platforms.
//
// ## What it finds
//
// `torch._inductor.config.triton.cudagraphs`, `cudagraph_trees` and `memory_planning` set to True
// without a question about the platform around them.
//
// ## Why it matters
//
// These settings decide how Inductor's graphs keep and reuse memory. On ROCm they have led to
// memory faults and to graphs that are recorded again and again; they are off there by default for
// that reason.
//
// ## Example
//
// ```python
// torch._inductor.config.triton.cudagraphs = True
// ```
//
// ## Use instead
//
// ```python
// torch._inductor.config.triton.cudagraphs = torch.version.hip is None
// ```
//
// ## When it is not a bug
//
// - It was tried on ROCm with this model and this version.
#include <array>

#include <fmt/format.h>

#include "lint/python/around.h"
#include "lint/rule.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const std::array kSettings = {Name("cudagraphs"), Name("cudagraph_trees"), Name("memory_planning")};

// config.triton.cudagraphs = True, or {"triton.cudagraphs": True} is not looked at: only names.
bool is_switched_on(const File& file, TokenIndex at) {
  if (at == 0 || !file.is(at - 1, ".") || !file.is(at + 1, "=") || !file.is(at + 2, "True"))
    return false;
  const std::string whole = file.compact(file.dotted(at));
  return whole.find("config") != std::string::npos || whole.find("inductor") != std::string::npos;
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (check.facts.is_nvidia_specific) return;
  for (const Name& setting : kSettings)
    for (const TokenIndex at : file.occurrences(setting)) {
      const StatementIndex index = file.statement_at(at);
      if (index == kNoStatement || !is_switched_on(file, at)) continue;
      if (file.runs_on_rocm(index) == Truth::kNo) continue;
      if (mentions(file, Scope(file, index), platform_questions())) continue;
      check.report(file.span(file.dotted(at)),
                   check.facts.is_test ? Confidence::kLow : Confidence::kMedium,
                   fmt::format("{} is switched on for ROCm too, where it is off for good reasons",
                               setting.text()),
                   {{.description = "leave it off on ROCm",
                     .safe = false,
                     .edits = {{file.span(at + 2), "torch.version.hip is None"}}}});
    }
}

}  // namespace

Rule inductor_cudagraphs() {
  return {.code = "HW612",
          .name = "inductor-cudagraphs",
          .summary = "Inductor's graphs or memory planning, switched on everywhere",
          .triggers = {kSettings.begin(), kSettings.end()},
          .python = find};
}

}  // namespace hipwright::lint::rules
