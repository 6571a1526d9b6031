// SPDX-License-Identifier: MIT
// A tensor goes to the default GPU, whatever device its inputs are on.
//
// ## What it finds
//
// `device="cuda"`, `.to("cuda")` and `torch.device("cuda")` in library code. "cuda" is a valid
// name on ROCm too: this is about the number of the device, and about programs that also run
// elsewhere. It is found with more confidence where an input's device is at hand, where a number is
// written (`"cuda:0"`), and in files that are for ROCm.
//
// ## Why it matters
//
// With several GPUs, or several ranks in one process, the new tensor lands on another GPU than the
// data: a copy at best, an illegal access or a wrong result in a kernel at worst.
//
// ## Example
//
// ```python
// def prepare(x):
//     return torch.empty(x.shape, device="cuda")
// ```
//
// ## Use instead
//
// ```python
// def prepare(x):
//     return torch.empty(x.shape, device=x.device)
// ```
//
// ## When it is not a bug
//
// - Tests, benchmarks, examples and scripts that use one GPU.
// - The default of a parameter: the caller decides.
#include <array>

#include <fmt/format.h>

#include "lint/python/around.h"
#include "lint/rule.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kDevice("device");
const Name kTo("to");

// "cuda" or "cuda:N"
bool is_cuda(const File& file, TokenIndex at) {
  if (at >= file.tokens().size() || file.tokens()[at].kind != Kind::kString) return false;
  const std::string value = file.string_value(at);
  return value == "cuda" ||
         (value.starts_with("cuda:") && value.size() > 5 && value.find('{') == std::string::npos);
}

// The string of device="cuda", torch.device("cuda"), .to("cuda") at a name; kNoToken: none.
TokenIndex device_string(const File& file, TokenIndex at) {
  const TokenIndex open = file.enclosing(at);
  if (file.is(at, kDevice) && file.is(at + 1, "=") && open != kNoToken && file.is(open, "("))
    return is_cuda(file, at + 2) ? at + 2 : kNoToken;
  const bool call = at > 0 && file.is(at - 1, ".") && file.is(at + 1, "(");
  return call && is_cuda(file, at + 2) ? at + 2 : kNoToken;
}

// Some tensor's device is known in this function.
bool knows_a_device(const File& file, const Scope& scope) {
  for (const TokenIndex at : file.occurrences(kDevice))
    if (scope.contains(at) && at > 1 && file.is(at - 1, ".") && !file.is(at + 1, "(") &&
        file.text(at - 2) != "torch" && file.text(at - 2) != "cuda")
      return true;
  return false;
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (check.facts.is_test || check.facts.is_nvidia_specific) return;
  for (const Name& name : {kDevice, kTo})
    for (const TokenIndex at : file.occurrences(name)) {
      const TokenIndex text = device_string(file, at);
      if (text == kNoToken || file.token_runs_on_rocm(text) == Truth::kNo) continue;
      const StatementIndex index = file.statement_at(at);
      if (index == kNoStatement || in_function_header(file, index)) continue;
      // A script's own code, not a library's.
      if (file.enclosing_def(index) == kNoStatement) continue;
      const bool numbered = file.string_value(text) != "cuda";
      const bool known = knows_a_device(file, Scope(file, index));
      check.report(file.span(text),
                   known && check.facts.is_rocm_specific               ? Confidence::kHigh
                   : numbered || known || check.facts.is_rocm_specific ? Confidence::kMedium
                                                                       : Confidence::kLow,
                   known ? "the device of an input is at hand: use it instead of the default GPU"
                         : "this is the default GPU, whichever device the data is on");
    }
}

}  // namespace

Rule hard_coded_device() {
  return {.code = "HW501",
          .name = "hard-coded-device",
          .summary = "a tensor on the default GPU, whatever its inputs are on",
          .severity = Severity::kNote,
          .triggers = {kDevice, kTo},
          .python = find};
}

}  // namespace hipwright::lint::rules
