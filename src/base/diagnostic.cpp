// SPDX-License-Identifier: MIT
#include "base/diagnostic.h"

#include <fmt/format.h>

#include "base/json.h"

namespace hipwright {

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  bug("severity out of range", __FILE__, __LINE__);
}

std::string_view to_string(Confidence confidence) {
  switch (confidence) {
    case Confidence::kLow:
      return "low";
    case Confidence::kMedium:
      return "medium";
    case Confidence::kHigh:
      return "high";
  }
  bug("confidence out of range", __FILE__, __LINE__);
}

Colour colour_of(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return Colour::kCyan;
    case Severity::kWarning:
      return Colour::kYellow;
    case Severity::kError:
      return Colour::kRed;
  }
  bug("severity out of range", __FILE__, __LINE__);
}

std::string render(const Diagnostic& diagnostic, std::string_view text, bool colour) {
  const Position at = diagnostic.position;
  std::string out =
      fmt::format("{}:{}:{}: {}: {}", diagnostic.path, at.line, at.column,
                  paint(to_string(diagnostic.severity), colour_of(diagnostic.severity), colour),
                  diagnostic.message);
  if (!diagnostic.code.empty()) out += fmt::format(" [{}]", diagnostic.code);
  out += '\n';
  if (!text.empty()) {
    const Span line = LineIndex(text).line(at.line);
    if (line.size() > 0) {
      const std::string_view shown = text.substr(line.begin, line.size());
      out += fmt::format("  {}\n  ", shown);
      // Keeps tabs, so that the caret is under its byte at any tab width.
      for (char c : shown.substr(0, at.column - 1)) out += c == '\t' ? '\t' : ' ';
      out += paint("^", Colour::kGreen, colour) + "\n";
    }
  }
  if (!diagnostic.why.empty()) out += fmt::format("  why: {}\n", diagnostic.why);
  if (!diagnostic.fixes.empty())
    out += fmt::format("  fix: {}\n", diagnostic.fixes.front().description);
  return out;
}

Json json_of(const Diagnostic& diagnostic) {
  Json json = {{"code", diagnostic.code},
               {"severity", to_string(diagnostic.severity)},
               {"confidence", to_string(diagnostic.confidence)},
               {"path", diagnostic.path},
               {"line", diagnostic.position.line},
               {"column", diagnostic.position.column},
               {"message", diagnostic.message}};
  if (!diagnostic.why.empty()) json["why"] = diagnostic.why;
  if (diagnostic.fixes.empty()) return json;
  const Fix& fix = diagnostic.fixes.front();
  Json edits = Json::array();
  for (const TextEdit& edit : fix.edits)
    edits.push_back(
        {{"begin", edit.span.begin}, {"end", edit.span.end}, {"text", edit.replacement}});
  json["fix"] = {{"description", fix.description}, {"safe", fix.safe}, {"edits", std::move(edits)}};
  return json;
}

}  // namespace hipwright
