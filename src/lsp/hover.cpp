// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "lint/output/output.h"
#include "lsp/answers.h"

namespace hipwright::lsp {

Value hover(const Client& client, const Document& document, Findings findings, std::size_t offset) {
  std::string text;
  std::optional<Span> span;
  std::vector<const lint::Rule*> shown;
  for (const lint::Finding& finding : findings) {
    // The end counts: editors ask with the cursor behind the last character too.
    if (offset < finding.span.begin || offset > finding.span.end) continue;
    if (std::find(shown.begin(), shown.end(), finding.rule) != shown.end()) continue;
    shown.push_back(finding.rule);
    if (!span) span = finding.span;
    text += fmt::format("{}{}", text.empty() ? "" : "\n---\n\n", lint::explanation(*finding.rule));
  }
  if (!span) return nullptr;
  return {
      {"contents", {{"kind", client.knows_markdown ? "markdown" : "plaintext"}, {"value", text}}},
      {"range", value_of(document.lines.range(*span))}};
}

}  // namespace hipwright::lsp
