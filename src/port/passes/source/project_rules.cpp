// SPDX-License-Identifier: MIT
// Names and headers as the project's own rules say. They win over everything else, so this pass is
// the first one.
#include "port/pass.h"
#include "port/source/context.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;

namespace {

void apply(SourceContext& context) {
  const project::Rules& rules = context.options.rules;
  const cu::File& file = context.file;
  const auto tokens = file.tokens();
  for (cu::TokenIndex at = 0; !rules.names.empty() && at < tokens.size(); ++at) {
    if (tokens[at].kind != cu::Kind::kName || context.is_settled(at)) continue;
    if (at > 0 && (file.is(at - 1, ".") || file.is(at - 1, "->"))) continue;
    if (const auto rule = rules.names.find(file.text(at)); rule != rules.names.end())
      context.rename(at, rule->second, "HP220");
  }
  if (rules.headers.empty()) return;
  for (const cu::Include& include : file.includes()) {
    const auto rule = rules.headers.find(include.path);
    if (rule == rules.headers.end() || context.is_settled(include.hash)) continue;
    const auto begin = static_cast<std::size_t>(include.path.data() - file.text().data());
    context.change({begin, begin + include.path.size()}, rule->second, "HP220");
  }
}

}  // namespace

Pass project_rules() {
  return {.codes = {"HP220"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
