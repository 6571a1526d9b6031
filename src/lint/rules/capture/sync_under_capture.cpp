// SPDX-License-Identifier: MIT
// The program waits for the device while a graph is recorded.
//
// ## What it finds
//
// `torch.cuda.synchronize()`, and `.synchronize()` of a stream or an event, inside code that a CUDA
// graph records.
//
// ## Why it matters
//
// Recorded work does not run, so there is nothing to wait for: the runtime refuses the call and the
// capture is broken (`hipErrorStreamCaptureInvalidated` at its end).
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
// - `synchronize` is a method of something else than a device, a stream or an event.
#include "lint/python/captured.h"
#include "lint/rule.h"

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
                     "waiting for the device breaks the recording: wait before it or after it");
  }
}

}  // namespace

Rule sync_under_capture() {
  return {.code = "HW603",
          .name = "sync-under-capture",
          .summary = "waiting for the device while a graph is recorded",
          .severity = Severity::kError,
          .triggers = capture_words(),
          .python = find};
}

}  // namespace hipwright::lint::rules
