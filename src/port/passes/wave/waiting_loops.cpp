// SPDX-License-Identifier: MIT
// Loops that wait for another thread, which may be a lane of the same wave.
#include "port/pass.h"
#include "port/source/context.h"
#include "port/wave/awaited.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using syntax::Name;

namespace {

const Name kWhile("while"), kFor("for");

// while (atomicCAS(lock, 0, 1) != 0); while (flag[i] == 0) {}
void apply(SourceContext& context) {
  const cu::File& file = context.file;
  for (const Name& name : {kWhile, kFor})
    for (const cu::TokenIndex at : file.occurrences(name)) {
      const cu::Function* function = file.function_at(at);
      if (function == nullptr || !function->is_device() || context.are_lanes_settled(at)) continue;
      const auto loop = waiting_loop(file, at, *function);
      if (!loop || waits_for_blocks(file, *loop, *function)) continue;
      context.report(
          "HP305", Severity::kWarning, file.span(at),
          "this loop waits for another thread and may never end on AMD",
          "The lanes of a wave run a loop together, and two 32-lane warps may be halves "
          "of one wave. A lane among them that should set the value never gets to do so. "
          "Wait in one lane of the block and use __syncthreads(), or do the work inside "
          "the loop, in the lane that acquires the lock (HP307).");
    }
}

}  // namespace

Pass waiting_loops() {
  return {.codes = {"HP305"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
