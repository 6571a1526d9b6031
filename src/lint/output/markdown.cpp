// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/visible.h"
#include "lint/output/output.h"

namespace hipwright::lint {

std::string markdown_output(const Report& report) {
  std::string text = fmt::format("### hipwright lint: {}\n", summary(report));
  if (report.findings.empty()) return text;
  text += "\n| place | severity | confidence | rule | message |\n| --- | --- | --- | --- | --- |\n";
  for (const Finding& finding : report.findings)
    text += fmt::format("| {}:{} | {} | {} | {} {} | {} |\n", markdown_text(finding.path),
                        finding.position.line, to_string(finding.severity),
                        to_string(finding.confidence), finding.code, finding.rule->name,
                        markdown_text(finding.message));
  return text;
}

}  // namespace hipwright::lint
