// SPDX-License-Identifier: MIT
// torch.compile in a project that captures graphs: a compilation can start during the capture.
#include "port/pass.h"
#include "port/python/captured.h"
#include "port/python/context.h"

namespace hipwright::port::passes {

namespace {

const syntax::Name kCompile("compile");

// Compiled functions are often called far from where they are compiled: the state must be safe in
// every file that captures.
void apply(PythonContext& context) {
  if (!context.layout.compiles() || captures_in(context.file).empty()) return;
  if (context.file.text().find("allow_rng_state_during_capture") != std::string_view::npos) return;
  const bool is_put = context.put_on_import(
      {"if " + std::string(context.gate()) + ":", "    allow_rng_state_during_capture()"},
      {"HP701", "torch.compile reads the generator's state"}, {"allow_rng_state_during_capture"});
  if (is_put) return;
  const auto compilations = context.file.occurrences(kCompile);
  const Span place = compilations.empty() ? context.file.span(context.file.statements()[0].tokens)
                                          : context.file.span(compilations.front());
  context.report("HP701", Severity::kWarning, place,
                 "torch.compile reads the generator's state, which fails during graph capture on "
                 "ROCm; compile before the capture");
}

}  // namespace

Pass rng_during_capture() {
  return {.codes = {"HP701"}, .python = apply};
}

}  // namespace hipwright::port::passes
