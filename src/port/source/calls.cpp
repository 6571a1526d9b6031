// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "port/source/parts.h"

namespace hipwright::port {

namespace cu = syntax::cuda;

namespace {

void translate_call(SourceContext& context, cu::TokenIndex name, const api::Entry& entry) {
  const cu::File& file = context.file;
  const cu::TokenIndex open = name + 1;
  if (!file.is(open, "(") || file.partner(open) == cu::kNoToken) return;
  std::vector<std::string> texts;
  for (const cu::TokenRange& range : file.arguments(open))
    texts.push_back(context.changes().text_of(file.text(), file.span(range)));
  const std::vector<std::string_view> arguments(texts.begin(), texts.end());
  const auto call = api::rewritten_call(entry, arguments);
  if (!call) return;
  context.change({file.span(name).begin, file.span(file.partner(open)).end}, *call, "HP207",
                 fmt::format("{} takes other arguments", entry.hip));
}

}  // namespace

void translate_calls(SourceContext& context) {
  const cu::File& file = context.file;
  const auto tokens = file.tokens();
  // From the end: inner calls before those around them.
  for (cu::TokenIndex at = static_cast<cu::TokenIndex>(tokens.size()); at-- > 0;) {
    if (tokens[at].kind != cu::Kind::kName || at + 1 >= tokens.size() || !file.is(at + 1, "("))
      continue;
    const api::Entry* entry = api::find(file.text(at));
    if (entry == nullptr || entry->call.empty()) continue;
    // Only where the name was translated, too.
    if (entry->hip != entry->cuda && !context.changes().touches(file.span(at))) continue;
    if (context.own.has(file.text(at), context.source, at)) continue;
    translate_call(context, at, *entry);
  }
}

}  // namespace hipwright::port
