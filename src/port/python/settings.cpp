// SPDX-License-Identifier: MIT
#include <array>

#include <fmt/format.h>

#include "port/python/parts.h"

namespace hipwright::port {

using namespace syntax::python;
using syntax::Name;

namespace {

const Name kAllow("allow_tf32");
const Name kPrecision("set_float32_matmul_precision");
const std::array kImplementations = {Name("attn_implementation"), Name("_attn_implementation"),
                                     Name("attention_implementation")};
const std::array kFlashSwitches = {Name("use_flash_attention_2"), Name("use_flash_attention"),
                                   Name("_flash_attn_2_enabled")};
const Why kImplementationWhy{"HP508", Phase::kLibraries, "SDPA is there without flash_attn"};

bool switches_tf32_on(const File& file, TokenIndex at) {
  if (file.is(at, kAllow))
    return at > 0 && file.is(at - 1, ".") && file.is(at + 1, "=") && !file.is(at + 2, "False");
  return file.is(at + 1, "(") && file.tokens()[at + 2].kind == Kind::kString &&
         file.string_value(at + 2) == "high";
}

void gate_tf32(PythonContext& context, TokenIndex at) {
  const File& file = context.file;
  const StatementIndex index = file.statement_at(at);
  if (index == kNoStatement || !switches_tf32_on(file, at) || context.is_settled(at)) return;
  const Why why{"HP506", Phase::kLibraries, "TF32 is a format of NVIDIA's matrix units"};
  const Statement& statement = file.statements()[index];
  const bool is_whole =
      statement.kind == StatementKind::kSimple && file.dotted(at).begin == statement.tokens.begin;
  if (is_whole && context.gate_statement(index, {}, why)) return;
  if (file.is(at, kAllow) && context.gate_value({at + 2, statement.tokens.end}, "False", why))
    return;
  context.tell("HP506", Severity::kNote, file.span(file.dotted(at)),
               "on ROCm this has an effect only on gfx942 with HIPBLASLT_ALLOW_TF32=1");
}

// Without one of the settings that do not go together: "a:1,b:2" less b.
std::string without(std::string_view settings, std::string_view name) {
  std::string left;
  for (std::size_t at = 0; at <= settings.size();) {
    const std::size_t comma = std::min(settings.find(',', at), settings.size());
    const std::string_view one = settings.substr(at, comma - at);
    const std::size_t first = std::min(one.find_first_not_of(' '), one.size());
    if (!one.substr(first).starts_with(name)) left += (left.empty() ? "" : ",") + std::string(one);
    at = comma + 1;
  }
  return left;
}

bool imports_torch(const File& file) {
  for (const Statement& each : file.statements())
    if ((each.kind == StatementKind::kImport || each.kind == StatementKind::kFromImport) &&
        each.tokens.size() > 1 && file.is(each.tokens.begin + 1, "torch"))
      return true;
  return false;
}

void gate_allocator(PythonContext& context) {
  const File& file = context.file;
  if (file.text().find("max_split_size_mb") == std::string_view::npos) return;
  const auto tokens = file.tokens();
  for (TokenIndex at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != Kind::kString) continue;
    const std::string value = file.string_value(at);
    if (value.find("max_split_size_mb:") == std::string::npos ||
        value.find("expandable_segments:True") == std::string::npos)
      continue;
    const StatementIndex index = file.statement_at(at);
    const char first = file.text(at).front();
    const bool is_plain = first == '"' || first == '\'';
    const bool is_one =
        at > 0 && tokens[at - 1].kind != Kind::kString && tokens[at + 1].kind != Kind::kString;
    if (index == kNoStatement || context.is_settled(at)) continue;
    const bool is_setting =
        file.text(file.statements()[index].tokens).find("ALLOC_CONF") != std::string_view::npos;
    if (!is_setting) continue;
    // Where torch is not imported, nobody asks it before it reads the variable.
    if (is_plain && is_one && imports_torch(file) &&
        context.gate_value({at, at + 1},
                           fmt::format("\"{}\"", without(value, "expandable_segments")),
                           {"HP505", Phase::kLibraries,
                            "the two settings together let reserved memory grow without bound"}))
      continue;
    context.tell("HP505", Severity::kWarning, file.span(at),
                 "max_split_size_mb and expandable_segments together let reserved memory grow "
                 "without bound on ROCm: keep one of them there");
  }
}

void tell_implementation(PythonContext& context, TokenIndex value) {
  context.tell(
      "HP508", Severity::kWarning, context.file.span(value),
      "this needs the package flash_attn, which is missing on most ROCm machines: \"sdpa\" "
      "is part of torch");
}

bool is_flash(const File& file, TokenIndex at) {
  if (file.tokens()[at].kind != Kind::kString) return false;
  const std::string value = file.string_value(at);
  return value == "flash_attention_2" || value == "flash_attention_3";
}

void gate_implementation(PythonContext& context, TokenIndex value) {
  if (!is_flash(context.file, value) || context.is_settled(value)) return;
  if (!context.gate_value({value, value + 1}, "\"sdpa\"", kImplementationWhy))
    tell_implementation(context, value);
}

// use_flash_attention_2=True, as older releases of transformers have it.
void gate_flash_switch(PythonContext& context, TokenIndex value) {
  if (!context.file.is(value, "True") || context.is_settled(value)) return;
  if (!context.gate_value({value, value + 1}, "False", kImplementationWhy))
    tell_implementation(context, value);
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

}  // namespace

void gate_settings(PythonContext& context) {
  for (const Name& name : {kAllow, kPrecision})
    for (const TokenIndex at : context.file.occurrences(name)) gate_tf32(context, at);
  gate_each(context, kImplementations, gate_implementation);
  gate_each(context, kFlashSwitches, gate_flash_switch);
  gate_allocator(context);
  for (const lint::Reported& each : findings(context, "HW702"))
    context.tell("HP510", Severity::kWarning, each.diagnostic.span, each.diagnostic.message);
}

}  // namespace hipwright::port
