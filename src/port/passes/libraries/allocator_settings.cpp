// SPDX-License-Identifier: MIT
// PYTORCH_CUDA_ALLOC_CONF: settings that must not be combined on ROCm.
#include <algorithm>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/python/context.h"

namespace hipwright::port::passes {

using namespace syntax::python;

namespace {

// Without one of the conflicting settings: "a:1,b:2" without b.
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

void apply(PythonContext& context) {
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
    // A file that does not import torch cannot check for ROCm before torch reads the variable.
    if (is_plain && is_one && imports_torch(file) &&
        context.gate_value(
            {at, at + 1}, fmt::format("\"{}\"", without(value, "expandable_segments")),
            {"HP505", "the two settings together let reserved memory grow without bound"}))
      continue;
    context.report("HP505", Severity::kWarning, file.span(at),
                   "max_split_size_mb and expandable_segments together let reserved memory grow "
                   "without bound on ROCm: keep one of them there");
  }
}

}  // namespace

Pass allocator_settings() {
  return {.codes = {"HP505"}, .python = apply};
}

}  // namespace hipwright::port::passes
