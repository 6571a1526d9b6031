// SPDX-License-Identifier: MIT
#include "base/diagnostic.h"

#include <algorithm>

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

namespace {

constexpr std::size_t kLongestLine = 400;

// The line of the diagnostic. An index of the whole text for each of many diagnostics would take
// quadratic time: it is needed only where the span does not say where the line is.
std::string_view line_of(const Diagnostic& diagnostic, std::string_view text) {
  const Position at = diagnostic.position;
  const std::size_t begin = diagnostic.span.begin;
  if (begin > 0 && begin <= text.size() && at.column <= begin + 1) {
    const std::size_t first = begin + 1 - at.column;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(first, end - first);
    const bool is_line = first == 0 || text[first - 1] == '\n';
    if (is_line && line.find('\n') == std::string_view::npos)
      return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
  }
  if (text.empty()) return {};
  const Span line = LineIndex(text).line(at.line);
  return text.substr(line.begin, line.size());
}

}  // namespace

std::string render(const Diagnostic& diagnostic, std::string_view text, bool colour) {
  const Position at = diagnostic.position;
  std::string out =
      fmt::format("{}:{}:{}: {}: {}", diagnostic.path, at.line, at.column,
                  paint(to_string(diagnostic.severity), colour_of(diagnostic.severity), colour),
                  diagnostic.message);
  if (!diagnostic.code.empty()) out += fmt::format(" [{}]", diagnostic.code);
  out += '\n';
  if (const std::string_view line = line_of(diagnostic, text); !line.empty()) {
    // Of a long line, what is around the place.
    const std::size_t column = std::min<std::size_t>(at.column - 1, line.size());
    const std::size_t first =
        line.size() <= kLongestLine || column < kLongestLine / 2 ? 0 : column - kLongestLine / 2;
    const std::string_view shown = line.substr(first, kLongestLine);
    out += fmt::format("  {}\n  ", shown);
    // Keeps tabs, so that the caret is under its byte at any tab width.
    for (char c : shown.substr(0, column - first)) out += c == '\t' ? '\t' : ' ';
    out += paint("^", Colour::kGreen, colour) + "\n";
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
