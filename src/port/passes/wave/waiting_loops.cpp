// SPDX-License-Identifier: MIT
// Loops that wait for another thread, which may be a lane of the same wave.
#include <algorithm>

#include "port/pass.h"
#include "port/source/context.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using syntax::Name;

namespace {

const Name kWhile("while"), kFor("for"), kAtomicCas("atomicCAS"), kAtomicExchange("atomicExch"),
    kVolatile("volatile");

// Nothing is done in it but to wait.
bool only_waits(const cu::File& file, cu::TokenIndex after) {
  if (after >= file.tokens().size()) return false;
  if (file.is(after, ";")) return true;
  if (!file.is(after, "{") || file.partner(after) == cu::kNoToken) return false;
  for (cu::TokenIndex at = after + 1; at < file.partner(after); ++at) {
    if (file.tokens()[at].kind != cu::Kind::kName) continue;
    const std::string_view text = file.text(at);
    if (text != "__nanosleep" && text != "__threadfence" && text != "__threadfence_block" &&
        text != "__syncwarp" && text != "continue" && text != "__threadfence_system")
      return false;
  }
  return true;
}

bool is_volatile(const cu::File& file, cu::TokenRange condition, const cu::Function& function) {
  for (cu::TokenIndex at = condition.begin; at < condition.end; ++at) {
    if (file.is(at, kVolatile) || file.is(at, kAtomicCas) || file.is(at, kAtomicExchange))
      return true;
    if (file.tokens()[at].kind != cu::Kind::kName) continue;
    if (file.text(at).starts_with("atomic") || file.text(at).starts_with("__ldcv") ||
        file.text(at) == "load")
      return true;
    for (const cu::TokenIndex declared : file.occurrences(kVolatile))
      if (function.head.begin <= declared && declared < function.body.end)
        for (cu::TokenIndex name = declared + 1; name < declared + 6 && name < function.body.end;
             ++name)
          if (file.text(name) == file.text(at)) return true;
  }
  return false;
}

// while (atomicCAS(lock, 0, 1) != 0); while (flag[i] == 0) {}
void apply(SourceContext& context) {
  const cu::File& file = context.file;
  for (const Name& name : {kWhile, kFor})
    for (const cu::TokenIndex at : file.occurrences(name)) {
      const cu::Function* function = file.function_at(at);
      if (function == nullptr || !function->is_device() || context.are_lanes_settled(at)) continue;
      const cu::TokenIndex open = at + 1;
      if (open >= file.tokens().size() || !file.is(open, "(")) continue;
      const cu::TokenIndex close = file.partner(open);
      if (close == cu::kNoToken) continue;
      const cu::TokenRange condition{open + 1, close};
      const bool ends_do = at > 0 && file.is(at - 1, "}");  // do {…} while (…);
      bool waits = only_waits(file, close + 1);
      if (ends_do) {
        const cu::TokenIndex body = file.partner(at - 1);
        if (body != cu::kNoToken && body > 0 && file.text(body - 1) == "do")
          waits = only_waits(file, body);
      }
      if (!waits || !is_volatile(file, condition, *function)) continue;
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
