// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "lint/output/output.h"

namespace hipwright::lint {

namespace {

std::string cell(std::string_view text) {
  std::string out;
  for (const char byte : text) {
    if (byte == '|' || byte == '<' || byte == '*' || byte == '_' || byte == '`' || byte == '\\')
      out += '\\';
    out += byte == '\n' ? ' ' : byte;
  }
  return out;
}

}  // namespace

std::string markdown_output(const Report& report) {
  std::string text = fmt::format("### hipwright lint: {}\n", summary(report));
  if (report.findings.empty()) return text;
  text += "\n| place | severity | confidence | rule | message |\n| --- | --- | --- | --- | --- |\n";
  for (const Finding& finding : report.findings)
    text +=
        fmt::format("| {}:{} | {} | {} | {} {} | {} |\n", cell(finding.path), finding.position.line,
                    to_string(finding.severity), to_string(finding.confidence), finding.code,
                    finding.rule->name, cell(finding.message));
  return text;
}

}  // namespace hipwright::lint
