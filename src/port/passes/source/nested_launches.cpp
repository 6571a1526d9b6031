// SPDX-License-Identifier: MIT
// Kernels that launch kernels: HIP has no dynamic parallelism.
#include "port/pass.h"
#include "port/source/context.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;

namespace {

// kernel<<<…>>> in device code.
void apply(SourceContext& context) {
  const cu::File& file = context.file;
  const auto tokens = file.tokens();
  for (cu::TokenIndex at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != cu::Kind::kPunct || !file.is(at, "<<<")) continue;
    const cu::Function* function = file.function_at(at);
    if (function == nullptr || !function->is_device() || !function->body.contains(at)) continue;
    if (context.is_settled(at)) continue;
    const bool is_host_too = (function->qualifiers & cu::kHost) != 0;
    context.report("HP214", is_host_too ? Severity::kWarning : Severity::kError,
                   file.span(at > 0 ? at - 1 : at),
                   "kernel launched from a kernel: HIP has no dynamic parallelism",
                   "Launch it from the host: write the pending launches to memory, and read them "
                   "when this kernel has finished. Or do the inner work in a loop of this kernel.");
  }
}

}  // namespace

Pass nested_launches() {
  return {.codes = {"HP214"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
