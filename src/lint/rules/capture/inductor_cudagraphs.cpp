// SPDX-License-Identifier: MIT
// Inductor's graph capture or memory planning is enabled on all platforms.
//
// ## What it finds
//
// `torch._inductor.config.triton.cudagraphs`, `cudagraph_trees` and `memory_planning` set to True
// without a platform check around them; also `"triton.cudagraphs": True` in the options of
// `torch.compile`.
//
// ## Why it matters
//
// These settings control how Inductor's graphs keep and reuse memory. On ROCm they have caused
// memory faults and repeated captures, and are off by default there for that reason.
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
// - It was tested on ROCm with this model and this version.
#include <array>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/python/platform_choice.h"
#include "lint/rule.h"
#include "syntax/python/flow.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

constexpr std::array<std::string_view, 3> kKeys = {"triton.cudagraphs", "triton.cudagraph_trees",
                                                   "memory_planning"};
const std::array kSettings = {Name("cudagraphs"), Name("cudagraph_trees"), Name("memory_planning")};

const Name kTorch("torch");

// import torch._inductor.config as settings; from torch._inductor import config as settings
bool is_from_inductor(const File& file, TokenIndex name) {
  return std::ranges::any_of(bindings(file, variable_at(file, name)), [&](const Binding& each) {
    return each.kind == BindingKind::kImport &&
           has_word(file, file.statements()[each.statement].tokens, "_inductor");
  });
}

// config.triton.cudagraphs = True
bool is_switched_on(const File& file, TokenIndex at) {
  if (at == 0 || !file.is(at - 1, ".") || !file.is(at + 1, "=") || !file.is(at + 2, "True"))
    return false;
  const TokenRange name = file.dotted(at);
  const std::string whole = file.compact(name);
  return whole.find("config") != std::string::npos || whole.find("inductor") != std::string::npos ||
         whole.find(".triton.") != std::string::npos || is_from_inductor(file, name.begin);
}

// Does the file bind the name torch? "import torch.x as y" does not.
bool has_torch(const File& file) {
  return std::ranges::any_of(file.occurrences(kTorch), [&](TokenIndex at) {
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || file.statements()[index].kind != StatementKind::kImport)
      return false;
    TokenIndex end = at + 1;
    while (file.is(end, ".")) end += 2;
    return !file.is(end, "as") && (file.is(at - 1, "import") || file.is(at - 1, ","));
  });
}

// `value`: the True that enables it.
void look_at(PythonCheck& check, TokenRange place, std::string_view setting, TokenIndex value) {
  const File& file = check.file;
  const StatementIndex index = file.statement_at(value);
  if (index == kNoStatement || file.runs_on_rocm(index) == Truth::kNo) return;
  if (mentions(file, FunctionScope(file, index), platform_questions())) return;
  std::vector<Fix> fixes;
  if (has_torch(file))
    fixes.push_back({.description = "disable it on ROCm",
                     .safe = false,
                     .edits = {{file.span(value), "torch.version.hip is None"}}});
  check.report(
      file.span(place), check.facts.is_test ? Confidence::kLow : Confidence::kMedium,
      fmt::format("{} is enabled on ROCm, too, where it has caused memory faults", setting),
      std::move(fixes));
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (check.facts.is_nvidia_specific) return;
  for (const Name& setting : kSettings)
    for (const TokenIndex at : file.occurrences(setting))
      if (is_switched_on(file, at)) look_at(check, file.dotted(at), setting.text(), at + 2);
  // {"triton.cudagraphs": True}
  for (TokenIndex at = 0; at + 2 < file.tokens().size(); ++at) {
    if (file.tokens()[at].kind != Kind::kString || !file.is(at + 1, ":") ||
        !file.is(at + 2, "True"))
      continue;
    const std::string key = file.string_value(at);
    if (is_any(key, kKeys)) look_at(check, {at, at + 1}, key, at + 2);
  }
}

}  // namespace

Rule inductor_cudagraphs() {
  return {.code = "HW612",
          .name = "inductor-cudagraphs",
          .summary = "Inductor graph capture or memory planning enabled on all platforms",
          .triggers = {kSettings.begin(), kSettings.end()},
          .words = {kKeys.begin(), kKeys.end()},
          .python = find};
}

}  // namespace hipwright::lint::rules
