// SPDX-License-Identifier: MIT
// Workflow commands, which GitHub shows as annotations next to the lines of a pull request.
#include <fmt/format.h>

#include "lint/output/output.h"

namespace hipwright::lint {

namespace {

std::string escaped(std::string_view text, bool is_property) {
  std::string out;
  for (const char byte : text) {
    const bool is_special = byte == '%' || byte == '\r' || byte == '\n' ||
                            (is_property && (byte == ':' || byte == ','));
    if (is_special)
      out += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
    else
      out += byte;
  }
  return out;
}

// A finding of low confidence is arguable: it never marks a line as wrong.
const char* command_of(const Finding& finding) {
  if (finding.confidence == Confidence::kLow) return "notice";
  return finding.severity == Severity::kError     ? "error"
         : finding.severity == Severity::kWarning ? "warning"
                                                  : "notice";
}

}  // namespace

std::string github_output(const Report& report) {
  std::string text;
  for (const Finding& finding : report.findings)
    text += fmt::format("::{} file={},line={},col={},endLine={},endColumn={},title={}::{}\n",
                        command_of(finding), escaped(finding.path, true), finding.position.line,
                        finding.position.column, finding.end.line, finding.end.column,
                        escaped(fmt::format("{} {} ({} confidence)", finding.code,
                                            finding.rule->name, to_string(finding.confidence)),
                                true),
                        escaped(finding.message, false));
  return text;
}

}  // namespace hipwright::lint
