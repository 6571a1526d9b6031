// SPDX-License-Identifier: MIT
#include "lint/suppress_edit.h"

#include <algorithm>

#include <fmt/format.h>

#include "lint/suppression.h"

namespace hipwright::lint {

namespace {

template <class File>
bool same_tokens(const File& a, std::string_view a_text, const File& b, std::string_view b_text) {
  return std::equal(a.tokens().begin(), a.tokens().end(), b.tokens().begin(), b.tokens().end(),
                    [&](const auto& x, const auto& y) {
                      return x.kind == y.kind && x.flags == y.flags &&
                             a_text.substr(x.begin, x.end - x.begin) ==
                                 b_text.substr(y.begin, y.end - y.begin);
                    });
}

// Does the edit add only a comment, and does the comment apply to the finding?
bool works(const Source& source, const Finding& finding, const TextEdit& edit) {
  const auto text = apply_edits(source.text(), {&edit, 1});
  if (!text) return false;
  const Source changed(source.path(), *text);
  if (source.cuda() != nullptr &&
      !same_tokens(*source.cuda(), source.text(), *changed.cuda(), changed.text()))
    return false;
  if (source.python() != nullptr &&
      !same_tokens(*source.python(), source.text(), *changed.python(), changed.text()))
    return false;
  const bool is_before = edit.span.begin <= finding.span.begin;
  const std::size_t at = finding.span.begin + (is_before ? edit.replacement.size() : 0);
  const std::uint32_t line = LineIndex(*text).position(at).line;
  const auto suppressions = find_suppressions(changed);
  return std::any_of(suppressions.begin(), suppressions.end(), [&](const Suppression& each) {
    return each.is_known && each.line == line &&
           std::any_of(each.words.begin(), each.words.end(), [&](const Suppression::Word& word) {
             return std::count(word.rules.begin(), word.rules.end(), finding.rule) > 0;
           });
  });
}

// In order of preference.
std::vector<TextEdit> candidates(const Source& source, const Finding& finding,
                                 std::string_view reason) {
  const std::string_view text = source.text();
  const std::string directive = fmt::format("hipwright: ignore[{}] {}", finding.code, reason);
  std::vector<TextEdit> edits;
  for (const Suppression& each : find_suppressions(source))
    if (each.is_known && !each.is_whole_file && each.line == finding.position.line &&
        !each.words.empty())
      edits.push_back({{each.list.end, each.list.end}, ", " + finding.code});
  const Span line = LineIndex(text).line(finding.position.line);
  const bool is_cuda = source.cuda() != nullptr;
  const std::string_view mark = is_cuda ? "//" : "#";
  edits.push_back({{line.end, line.end}, fmt::format("  {} {}", mark, directive)});
  // In the body of a macro, before the backslash that continues it.
  if (is_cuda && line.size() > 0 && text[line.end - 1] == '\\')
    edits.push_back({{line.end - 1, line.end - 1}, fmt::format("/* {} */ ", directive)});
  const std::string_view content = text.substr(line.begin, line.size());
  const std::string_view indent =
      content.substr(0, std::min(content.find_first_not_of(" \t"), content.size()));
  const bool has_return = text.substr(line.end).starts_with('\r');
  edits.push_back({{line.begin, line.begin},
                   fmt::format("{}{} {}{}", indent, mark, directive, has_return ? "\r\n" : "\n")});
  return edits;
}

}  // namespace

std::optional<TextEdit> suppressing_edit(const Source& source, const Finding& finding,
                                         std::string_view reason) {
  for (TextEdit& edit : candidates(source, finding, reason))
    if (works(source, finding, edit)) return std::move(edit);
  return std::nullopt;
}

}  // namespace hipwright::lint
