// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "lint/docs.h"
#include "lsp/answers.h"
#include "lsp/uri.h"

namespace hipwright::lsp {

namespace {

int number_of(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return 1;
    case Severity::kWarning:
      return 2;
    case Severity::kNote:
      return 3;
  }
  bug("severity out of range", __FILE__, __LINE__);
}

std::string message_of(const lint::Finding& finding) {
  if (finding.confidence == Confidence::kHigh) return finding.message;
  return fmt::format("{} ({} confidence)", finding.message, to_string(finding.confidence));
}

Value diagnostic(const Client& client, const Document& document, const lint::Finding& finding,
                 const std::filesystem::path& pages) {
  constexpr int kUnnecessary = 1;
  Value made = {{"range", value_of(document.lines.range(finding.span))},
                {"severity", number_of(finding.severity)},
                {"code", finding.code},
                {"source", "hipwright"},
                {"message", message_of(finding)}};
  if (client.knows_code_description && !pages.empty())
    made["codeDescription"] = {{"href", uri_of(pages / lint::page_name(*finding.rule))}};
  if (client.knows_tags && finding.rule->name == "unused-suppression")
    made["tags"] = Value::array({kUnnecessary});
  return made;
}

}  // namespace

Value diagnostics(const Client& client, const Document& document, Findings findings,
                  const std::filesystem::path& pages) {
  Value list = Value::array();
  for (const lint::Finding& finding : findings)
    list.push_back(diagnostic(client, document, finding, pages));
  return list;
}

}  // namespace hipwright::lsp
