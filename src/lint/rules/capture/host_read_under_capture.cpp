// SPDX-License-Identifier: MIT
// A value is read back to the host while a graph is recorded.
//
// ## What it finds
//
// `.item()`, `.tolist()`, `.cpu()`, `.numpy()` and `.nonzero()` inside code that a CUDA graph
// records.
//
// ## Why it matters
//
// Nothing of the recorded work runs during the recording, so there is no value to read: the read
// waits for the device, which breaks the capture (`hipErrorStreamCaptureUnsupported`). Where it
// does not, the value of the recording is used in every replay.
//
// ## Example
//
// ```python
// with torch.cuda.graph(graph):
//     n = lengths.max().item()
//     out = attention(q, k, v, n)
// ```
//
// ## Use instead
//
// ```python
// n = lengths.max().item()
// with torch.cuda.graph(graph):
//     out = attention(q, k, v, n)
// ```
//
// ## When it is not a bug
//
// - The object is no tensor on a GPU: a NumPy scalar, a tensor on the CPU.
#include <array>

#include <fmt/format.h>

#include "lint/python/captured.h"
#include "lint/rule.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const std::array kReads = {Name("item"), Name("tolist"), Name("cpu"), Name("numpy"),
                           Name("nonzero")};

void find(PythonCheck& check) {
  const File& file = check.file;
  for (const auto& [index, depth] : captured_statements(file)) {
    if (file.runs_on_rocm(index) == Truth::kNo) continue;
    const TokenRange tokens = file.statements()[index].tokens;
    for (TokenIndex at = tokens.begin + 1; at + 1 < tokens.end; ++at) {
      if (!file.is(at - 1, ".") || !file.is(at + 1, "(")) continue;
      for (const Name& read : kReads)
        if (file.is(at, read))
          check.report(file.span(at), depth <= 1 ? Confidence::kHigh : Confidence::kMedium,
                       fmt::format(".{}() reads back from the device, which a recording cannot do",
                                   read.text()));
    }
  }
}

}  // namespace

Rule host_read_under_capture() {
  return {.code = "HW602",
          .name = "host-read-under-capture",
          .summary = "a value read back while a graph is recorded",
          .severity = Severity::kError,
          .triggers = capture_words(),
          .python = find};
}

}  // namespace hipwright::lint::rules
