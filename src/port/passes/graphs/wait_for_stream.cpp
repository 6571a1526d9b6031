// SPDX-License-Identifier: MIT
// torch.cuda.synchronize() before a capture waits only for the stream in use.
#include <algorithm>
#include <array>

#include "port/pass.h"
#include "port/python/captured.h"
#include "port/python/context.h"
#include "syntax/python/function_scope.h"

namespace hipwright::port::passes {

using namespace syntax::python;
using syntax::Name;

namespace {

const Name kSynchronize("synchronize");
const std::array kStreams = {Name("Stream"), Name("stream"), Name("ExternalStream"),
                             Name("wait_stream"), Name("set_stream")};

// torch.cuda.synchronize() waits for everything on the device, including what another thread
// captures. If only one stream is used, waiting for it is equivalent.
void apply(PythonContext& context) {
  const File& file = context.file;
  const std::vector<syntax::python::Captured> captured = captures_in(file);
  for (const TokenIndex at : file.occurrences(kSynchronize)) {
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || context.is_settled(at) ||
        file.statements()[index].kind != StatementKind::kSimple ||
        file.compact(file.statements()[index].tokens) != "torch.cuda.synchronize()")
      continue;
    if (std::any_of(captured.begin(), captured.end(),
                    [&](const syntax::python::Captured& each) { return each.statement == index; }))
      continue;
    // Before the capture in the same function: only the warm-up is waited for.
    const bool is_before = std::any_of(captured.begin(), captured.end(), [&](const auto& each) {
      return each.depth == 0 && each.statement > index &&
             file.enclosing_def(each.statement) == file.enclosing_def(index);
    });
    if (!is_before || mentions(file, FunctionScope(file, index), kStreams)) continue;
    context.gate_statement(index, {"torch.cuda.current_stream().synchronize()"},
                           {"HP703", "only one stream is used here"});
  }
}

}  // namespace

Pass wait_for_stream() {
  return {.codes = {"HP703"}, .python = apply};
}

}  // namespace hipwright::port::passes
