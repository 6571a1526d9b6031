// SPDX-License-Identifier: MIT
// Memory is made, or given back, while a graph is recorded.
//
// ## What it finds
//
// Inside code that a CUDA graph records:
//
// - tensors made of host data: `torch.tensor([…], device=…)`, `torch.as_tensor`, `from_numpy`,
//   `pin_memory()`;
// - `torch.cuda.empty_cache()`, which gives memory back to the driver;
// - a fresh tensor that is kept in an attribute (`self.out = torch.zeros(…)`);
// - with low confidence, other fresh tensors right in the recorded block.
//
// ## Why it matters
//
// Host data is copied from pageable memory, which a recording refuses, or which is recorded with an
// address that is gone at the replay. Freeing waits for the device, which breaks the capture. Fresh
// tensors come from the graph's own pool: the next replay writes over what an attribute still
// holds, and every recorded batch size keeps its own.
//
// ## Example
//
// ```python
// with torch.cuda.graph(graph):
//     scale = torch.tensor([0.5], device="cuda")
//     self.out = torch.zeros_like(x)
// ```
//
// ## Use instead
//
// ```python
// scale = torch.tensor([0.5], device="cuda")
// self.out = torch.zeros_like(x)
// with torch.cuda.graph(graph):
//     self.out.copy_(x * scale)
// ```
//
// ## When it is not a bug
//
// - A temporary of the recorded computation: PyTorch's pool keeps it for the graph.
// - The result of the recording, kept to be read after each replay.
#include <array>

#include <fmt/format.h>

#include "lint/python/around.h"
#include "lint/python/captured.h"
#include "lint/rule.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kTorch("torch");
constexpr std::array<std::string_view, 4> kOfHostData = {"tensor", "as_tensor", "from_numpy",
                                                         "frombuffer"};
constexpr std::array<std::string_view, 10> kFresh = {
    "empty",      "zeros",     "ones",      "full",       "arange",
    "empty_like", "ones_like", "full_like", "zeros_like", "linspace"};

// torch.name( at `at`, the name: without a device it may be the host's, which does no harm.
bool is_on_cpu(const File& file, TokenIndex open) {
  const auto device = file.keyword_argument(open, "device");
  return device && file.compact(*device).find("cpu") != std::string::npos;
}

// self.name = torch.zeros(…), and nothing around the call
bool is_kept(const File& file, TokenRange statement, TokenRange call) {
  return statement.begin + 4 == call.begin && file.is(statement.begin, "self") &&
         file.is(statement.begin + 3, "=");
}

void look_at(PythonCheck& check, const Statement& statement, unsigned depth, TokenIndex at) {
  const File& file = check.file;
  const TokenRange name = file.dotted(at);
  const std::string_view word = file.text(at);
  const bool of_torch = name.size() == 3 && file.is(name.begin, kTorch);
  const Confidence sure = depth <= 1 ? Confidence::kHigh : Confidence::kMedium;
  if (word == "pin_memory" && file.is(at - 1, ".")) {
    check.report(file.span(at), sure, "pinning memory is refused while a graph is recorded");
  } else if (word == "empty_cache" && file.compact(name).starts_with("torch.")) {
    check.report(file.span(name), sure,
                 "giving memory back waits for the device, which breaks the recording");
  } else if (of_torch && is_one_of(kOfHostData, word) && !is_on_cpu(file, at + 1)) {
    // Without a device, and never moved: it may stay on the host.
    const bool moves = word != "tensor" || file.keyword_argument(at + 1, "device");
    check.report(
        file.span(name), moves ? sure : Confidence::kLow,
        fmt::format("{}() copies from the host: make it before the recording", file.compact(name)));
  } else if (of_torch && is_one_of(kFresh, word) && !is_on_cpu(file, at + 1)) {
    const bool kept = is_kept(file, statement.tokens, name);
    if (kept || (depth == 0 && !check.facts.is_test))
      check.report(file.span(name), kept ? Confidence::kMedium : Confidence::kLow,
                   kept
                       ? "this lies in the graph's pool, and replays write over it: make it before "
                         "the recording"
                       : "a fresh tensor in every recorded graph: make it once, before");
  }
}

void find(PythonCheck& check) {
  const File& file = check.file;
  for (const auto& [index, depth] : captured_statements(file)) {
    if (file.runs_on_rocm(index) == Truth::kNo) continue;
    const Statement& statement = file.statements()[index];
    for (TokenIndex at = statement.tokens.begin + 1; at + 1 < statement.tokens.end; ++at)
      if (file.tokens()[at].kind == Kind::kName && file.is(at + 1, "("))
        look_at(check, statement, depth, at);
  }
}

}  // namespace

Rule allocation_under_capture() {
  return {.code = "HW604",
          .name = "allocation-under-capture",
          .summary = "memory made or given back while a graph is recorded",
          .triggers = capture_words(),
          .python = find};
}

}  // namespace hipwright::lint::rules
