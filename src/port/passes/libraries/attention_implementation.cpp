// SPDX-License-Identifier: MIT
// attn_implementation="flash_attention_2": torch has its own attention, which does not need
// flash_attn.
#include <array>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/python/context.h"

namespace hipwright::port::passes {

using namespace syntax::python;
using syntax::Name;

namespace {

const std::array kImplementations = {Name("attn_implementation"), Name("_attn_implementation"),
                                     Name("attention_implementation")};
const std::array kFlashSwitches = {Name("use_flash_attention_2"), Name("use_flash_attention"),
                                   Name("_flash_attn_2_enabled")};
const Why kWhy{"HP508", "SDPA does not need flash_attn"};

void report_implementation(PythonContext& context, TokenIndex value) {
  context.report(
      "HP508", Severity::kWarning, context.file.span(value),
      "this needs the package flash_attn, which most ROCm machines lack; \"sdpa\" is part "
      "of torch");
}

bool is_flash(const File& file, TokenIndex at) {
  if (file.tokens()[at].kind != Kind::kString) return false;
  const std::string value = file.string_value(at);
  return value == "flash_attention_2" || value == "flash_attention_3";
}

void gate_implementation(PythonContext& context, TokenIndex value) {
  if (!is_flash(context.file, value) || context.is_settled(value)) return;
  if (!context.gate_value({value, value + 1}, "\"sdpa\"", kWhy))
    report_implementation(context, value);
}

// use_flash_attention_2=True, as older releases of transformers have it.
void gate_flash_switch(PythonContext& context, TokenIndex value) {
  if (!context.file.is(value, "True") || context.is_settled(value)) return;
  if (!context.gate_value({value, value + 1}, "False", kWhy)) report_implementation(context, value);
}

// The value of name=…, and of {"name": …}.
template <std::size_t kCount, class Gate>
void gate_each(PythonContext& context, const std::array<Name, kCount>& names, Gate gate) {
  const File& file = context.file;
  for (const Name& name : names) {
    for (const TokenIndex at : file.occurrences(name))
      if (file.is(at + 1, "=")) gate(context, at + 2);
    if (file.text().find(fmt::format("{}\"", name.text())) == std::string_view::npos &&
        file.text().find(fmt::format("{}'", name.text())) == std::string_view::npos)
      continue;
    for (TokenIndex at = 0; at + 2 < file.tokens().size(); ++at)
      if (file.tokens()[at].kind == Kind::kString && file.is(at + 1, ":") &&
          file.string_value(at) == name.text())
        gate(context, at + 2);
  }
}

void apply(PythonContext& context) {
  gate_each(context, kImplementations, gate_implementation);
  gate_each(context, kFlashSwitches, gate_flash_switch);
}

}  // namespace

Pass attention_implementation() {
  return {.codes = {"HP508"}, .python = apply};
}

}  // namespace hipwright::port::passes
