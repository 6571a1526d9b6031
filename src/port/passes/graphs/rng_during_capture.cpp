// SPDX-License-Identifier: MIT
// torch.compile in a file that captures graphs: a compilation can start during the capture.
#include <algorithm>

#include "port/pass.h"
#include "port/python/captured.h"
#include "port/python/context.h"

namespace hipwright::port::passes {

using namespace syntax::python;
using syntax::Name;

namespace {

const Name kCompile("compile");

bool compiles(const File& file) {
  const auto at = file.occurrences(kCompile);
  return std::any_of(at.begin(), at.end(), [&](TokenIndex each) {
    return file.compact(file.dotted(each)) == "torch.compile";
  });
}

void apply(PythonContext& context) {
  if (!compiles(context.file) || captures_in(context.file).empty()) return;
  if (context.file.text().find("allow_rng_state_during_capture") != std::string_view::npos) return;
  const bool is_put = context.put_on_import(
      {"if " + std::string(context.gate()) + ":", "    allow_rng_state_during_capture()"},
      {"HP701", "torch.compile reads the generator's state"}, {"allow_rng_state_during_capture"});
  if (!is_put)
    context.report("HP701", Severity::kWarning,
                   context.file.span(context.file.occurrences(kCompile).front()),
                   "torch.compile reads the generator's state, which fails during graph capture on "
                   "ROCm; compile before the capture");
}

}  // namespace

Pass rng_during_capture() {
  return {.codes = {"HP701"}, .python = apply};
}

}  // namespace hipwright::port::passes
