// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/diagnostic.h"
#include "lint/output/output.h"

namespace hipwright::lint {

namespace {

// The line and a caret below the finding; tabs are kept so that the caret stands under its byte
// whatever their width, and control bytes are not sent to the terminal.
std::string excerpt(const Finding& finding, bool colour) {
  std::string line, below;
  const std::size_t at = finding.position.column - finding.line.column;
  for (std::size_t i = 0; i < finding.line.text.size(); ++i) {
    const char byte = finding.line.text[i];
    const bool is_control = static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F;
    if (byte == '\r') continue;
    line += is_control && byte != '\t' ? '?' : byte;
    // Bytes inside a UTF-8 character take no column of their own.
    const bool is_inside = (static_cast<unsigned char>(byte) & 0xC0U) == 0x80;
    if (i < at && !is_inside) below += byte == '\t' ? '\t' : ' ';
  }
  if (line.empty()) return "";
  std::size_t width = 1;
  if (finding.end.line == finding.position.line && finding.end.column > finding.position.column)
    width = std::min<std::size_t>(finding.end.column - finding.position.column,
                                  std::max<std::size_t>(line.size(), at + 1) - at);
  below += paint("^" + std::string(width - 1, '~'), Colour::kGreen, colour);
  return fmt::format("  {}\n  {}\n", line, below);
}

}  // namespace

std::string text_output(const Report& report, bool colour) {
  std::string text;
  for (const Finding& finding : report.findings) {
    text += fmt::format("{}:{}:{}: {}: {} [{}]\n", finding.path, finding.position.line,
                        finding.position.column,
                        paint(to_string(finding.severity), colour_of(finding.severity), colour),
                        finding.message, finding.code);
    text += excerpt(finding, colour);
    if (finding.confidence != Confidence::kHigh)
      text += fmt::format("  confidence: {}\n", to_string(finding.confidence));
    if (!finding.fixes.empty())
      text += fmt::format("  {}: {}\n", finding.fixes.front().safe ? "fix" : "unsafe fix",
                          finding.fixes.front().description);
  }
  return text + summary(report) + "\n";
}

}  // namespace hipwright::lint
