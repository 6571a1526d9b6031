// SPDX-License-Identifier: MIT
// Inductor's switches for graphs and memory planning: off on ROCm until tested there.
#include <array>

#include "port/pass.h"
#include "port/python/context.h"
#include "port/python/inductor_config.h"

namespace hipwright::port::passes {

using namespace syntax::python;
using syntax::Name;

namespace {

const std::array kSwitches = {Name("cudagraphs"), Name("cudagraph_trees"), Name("memory_planning")};

void gate_switch(PythonContext& context, TokenIndex at) {
  const File& file = context.file;
  const TokenRange value = inductor_value(file, at);
  if (value.empty() || file.is(value.begin, "False") || context.is_settled(at)) return;
  context.gate_value(value, "False", {"HP602", "disabled on ROCm until tested there"});
}

// options={"triton.cudagraphs": True}
void gate_option(PythonContext& context, TokenIndex key) {
  const std::string_view text = context.file.text(key);
  const bool is_switch = text.find("triton.cudagraph") != std::string_view::npos ||
                         text.find("memory_planning") != std::string_view::npos;
  if (is_switch && context.file.is(key + 2, "True") && !context.is_settled(key))
    context.gate_value({key + 2, key + 3}, "False", {"HP602"});
}

void apply(PythonContext& context) {
  const File& file = context.file;
  for (const Name& each : kSwitches)
    for (const TokenIndex at : file.occurrences(each)) gate_switch(context, at);
  if (file.text().find("triton.") != std::string_view::npos ||
      file.text().find("memory_planning") != std::string_view::npos)
    for (const TokenIndex key : text_keys(file)) gate_option(context, key);
}

}  // namespace

Pass inductor_switches() {
  return {.codes = {"HP602"}, .python = apply};
}

}  // namespace hipwright::port::passes
