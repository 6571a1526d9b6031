// SPDX-License-Identifier: MIT
// The program waits for the device during graph capture.
//
// ## What it finds
//
// `torch.cuda.synchronize()`, and `.synchronize()` of a stream or an event, in code that runs
// during CUDA graph capture.
//
// ## Why it matters
//
// Captured work does not run, so there is nothing to wait for: the runtime rejects the call and
// invalidates the capture (`hipErrorStreamCaptureInvalidated` at its end).
//
// ## Example
//
// ```python
// with torch.cuda.graph(graph):
//     y = model(x)
//     torch.cuda.synchronize()
// ```
//
// ## Use instead
//
// ```python
// with torch.cuda.graph(graph):
//     y = model(x)
// torch.cuda.synchronize()
// ```
//
// ## When it is not a bug
//
// - `synchronize` is a method of something other than a device, a stream or an event.
#include "lint/rule.h"
#include "syntax/python/graph_capture.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kSynchronize("synchronize");

void find(PythonCheck& check) {
  const File& file = check.file;
  if (!file.has(kSynchronize)) return;
  for (const auto& [index, depth] : captured_statements(file)) {
    if (file.runs_on_rocm(index) == Truth::kNo) continue;
    const TokenRange tokens = file.statements()[index].tokens;
    for (TokenIndex at = tokens.begin + 1; at + 1 < tokens.end; ++at)
      if (file.is(at, kSynchronize) && file.is(at - 1, ".") && file.is(at + 1, "("))
        check.report(file.span(file.dotted(at)),
                     depth <= 1 ? Confidence::kHigh : Confidence::kMedium,
                     "waiting for the device breaks the capture; wait before or after it");
  }
}

}  // namespace

Rule sync_under_capture() {
  return {.code = "HW603",
          .name = "sync-under-capture",
          .summary = "device synchronisation during graph capture",
          .severity = Severity::kError,
          .triggers = capture_words(),
          .python = find};
}

}  // namespace hipwright::lint::rules
