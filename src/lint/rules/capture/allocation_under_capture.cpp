// SPDX-License-Identifier: MIT
// Memory is allocated or freed during graph capture.
//
// ## What it finds
//
// In code that runs during CUDA graph capture:
//
// - tensors created from host data: `torch.tensor([…], device=…)`, `torch.as_tensor`, `from_numpy`,
//   `pin_memory()`;
// - `torch.cuda.empty_cache()`, which returns memory to the driver;
// - a new tensor stored in an attribute (`self.out = torch.zeros(…)`);
// - with low confidence, other new tensors directly in the captured block.
//
// ## Why it matters
//
// Host data is copied from pageable memory: capture rejects the copy, or records an address that is
// no longer valid at replay. Freeing waits for the device, which breaks the capture. New tensors
// come from the graph's own pool: the next replay overwrites what an attribute still refers to, and
// every captured batch size keeps its own copy.
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
// - A temporary of the captured computation: PyTorch's pool keeps it for the graph.
// - The result of the capture, kept to be read after each replay.
#include <array>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/python/platform_choice.h"
#include "lint/rule.h"
#include "syntax/python/graph_capture.h"

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

// Does the call at `open` name the CPU as its device? A tensor without a device may be the host's.
bool is_on_cpu(const File& file, TokenIndex open) {
  const auto device = file.keyword_argument(open, "device");
  return device && file.compact(*device).find("cpu") != std::string::npos;
}

// self.name = torch.zeros(…), with nothing around the call
bool is_kept(const File& file, TokenRange statement, TokenRange call) {
  return statement.begin + 4 == call.begin && file.is(statement.begin, "self") &&
         file.is(statement.begin + 3, "=");
}

void look_at(PythonCheck& check, const Statement& statement, unsigned depth, TokenIndex at) {
  const File& file = check.file;
  const TokenRange name = file.dotted(at);
  const std::string_view word = file.text(at);
  const bool of_torch = name.size() == 3 && file.is(name.begin, kTorch);
  const Confidence sure = Confidence::kMedium;
  if (word == "pin_memory" && file.is(at - 1, ".")) {
    check.report(file.span(at), sure, "pinning memory is rejected during graph capture");
  } else if (word == "empty_cache" && file.compact(name).starts_with("torch.")) {
    check.report(file.span(name), sure,
                 "returning memory to the driver waits for the device, which breaks the capture");
  } else if (of_torch && is_any(word, kOfHostData) && !is_on_cpu(file, at + 1)) {
    // Without a device, and never moved, it may stay on the host.
    const bool moves = word != "tensor" || file.keyword_argument(at + 1, "device");
    check.report(file.span(name), moves ? sure : Confidence::kLow,
                 fmt::format("{}() copies from the host; create the tensor before the capture",
                             file.compact(name)));
  } else if (of_torch && is_any(word, kFresh) && !is_on_cpu(file, at + 1)) {
    const bool kept = is_kept(file, statement.tokens, name);
    if (kept || (depth == 0 && !check.facts.is_test))
      check.report(
          file.span(name), kept ? Confidence::kMedium : Confidence::kLow,
          kept ? "allocated in the graph's pool, which every replay overwrites; create it before "
                 "the capture"
               : "new tensor in every captured graph; create it once, before the capture");
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
          .summary = "memory allocated or freed during graph capture",
          .triggers = capture_words(),
          .python = find};
}

}  // namespace hipwright::lint::rules
