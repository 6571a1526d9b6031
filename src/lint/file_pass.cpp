// SPDX-License-Identifier: MIT
#include "lint/file_pass.h"

#include <algorithm>

#include <fmt/format.h>

#include "lint/source_kind.h"

namespace hipwright::lint {

namespace {

constexpr std::size_t kLongestLineText = 240;

template <class File>
bool is_triggered(const Rule& rule, const File& file) {
  return rule.triggers.empty() ||
         std::any_of(rule.triggers.begin(), rule.triggers.end(),
                     [&](const syntax::Name& name) { return file.has(name); });
}

bool reads_text(const Rule& rule, std::string_view path) {
  return rule.text != nullptr &&
         std::any_of(rule.text_files.begin(), rule.text_files.end(),
                     [&](std::string_view pattern) { return fits(path, pattern); });
}

void run_rules(const Selection& selection, const FileFacts& facts, const Source& source,
               Findings& found) {
  for (const Rule* rule : selection.rules) {
    if (!found.wants(rule->relevance)) continue;
    if (source.cuda() != nullptr && rule->cuda != nullptr && is_triggered(*rule, *source.cuda())) {
      CudaCheck check(*rule, facts, found, *source.cuda());
      rule->cuda(check);
    }
    if (source.python() != nullptr && rule->python != nullptr &&
        is_triggered(*rule, *source.python())) {
      PythonCheck check(*rule, facts, found, *source.python());
      rule->python(check);
    }
    if (reads_text(*rule, facts.path)) {
      TextCheck check(*rule, facts, found, source.text());
      rule->text(check);
    }
  }
}

// Positions and lines are made for the few texts that have findings.
std::vector<Finding> placed(std::vector<Findings::Item> items, std::string_view text) {
  std::vector<Finding> findings;
  if (items.empty()) return findings;
  const LineIndex lines(text);
  findings.reserve(items.size());
  for (Findings::Item& item : items) {
    Finding finding{std::move(item.diagnostic), item.rule};
    finding.position = lines.position(finding.span.begin);
    const Span line = lines.line(finding.position.line);
    const std::size_t at = finding.position.column - 1;
    const std::size_t skipped = at < kLongestLineText ? 0 : at - kLongestLineText / 2;
    finding.line_text =
        text.substr(line.begin + skipped,
                    std::min(line.size() - std::min(skipped, line.size()), kLongestLineText));
    finding.line_text_column = static_cast<std::uint32_t>(skipped) + 1;
    findings.push_back(std::move(finding));
  }
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.span.begin != b.span.begin ? a.span.begin < b.span.begin : a.code < b.code;
  });
  return findings;
}

template <class File>
void note_problems(const File& file, const Source& source, std::vector<FileNote>& notes) {
  if (file.problems().empty()) return;
  const syntax::Problem& first = file.problems().front();
  const std::size_t more = file.problems().size() - 1;
  notes.push_back(
      {source.path(), fmt::format("{} (line {}){}", first.what,
                                  LineIndex(source.text()).position(first.span.begin).line,
                                  more == 0 ? "" : fmt::format(", and {} more", more))});
}

}  // namespace

Source::Source(std::string path, std::string_view text) : path_(std::move(path)), text_(text) {
  switch (language_of(path_)) {
    case Language::kCuda:
      cuda_.emplace(text);
      break;
    case Language::kPython:
      python_.emplace(text);
      break;
    case Language::kNone:
      break;
  }
}

bool concerns(const Selection& selection, std::string_view path) {
  return language_of(path) != Language::kNone ||
         std::any_of(selection.rules.begin(), selection.rules.end(),
                     [&](const Rule* rule) { return reads_text(*rule, path); });
}

FileResult check_source(const Selection& selection, const FileFacts& facts, const Source& source) {
  Findings found(selection.relevant, selection.min_confidence);
  run_rules(selection, facts, source, found);
  FileResult result{.findings = placed(std::move(found.list), source.text()),
                    .bytes = source.text().size()};
  if (source.cuda() != nullptr) note_problems(*source.cuda(), source, result.notes);
  if (source.python() != nullptr) note_problems(*source.python(), source, result.notes);
  return result;
}

}  // namespace hipwright::lint
