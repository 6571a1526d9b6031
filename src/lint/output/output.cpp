// SPDX-License-Identifier: MIT
#include "lint/output/output.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/table.h"

namespace hipwright::lint {

Result<Format> parse_format(std::string_view word) {
  if (word == "text") return Format::kText;
  if (word == "json") return Format::kJson;
  if (word == "sarif") return Format::kSarif;
  if (word == "github") return Format::kGithub;
  if (word == "markdown") return Format::kMarkdown;
  return fail("unknown format", std::string(word), "",
              "Use text, json, sarif, github or markdown.");
}

std::string output(const Report& report, Format format, const OutputOptions& options) {
  const std::string statistics =
      options.statistics ? statistics_text(report, options.colour) : std::string();
  switch (format) {
    case Format::kText:
      return text_output(report, options.colour) + (statistics.empty() ? "" : "\n" + statistics);
    case Format::kJson:
      return json_output(report, options.statistics);
    case Format::kSarif:
      return sarif_output(report);
    case Format::kGithub:
      return github_output(report);
    case Format::kMarkdown:
      return markdown_output(report) + (statistics.empty() ? "" : "\n```\n" + statistics + "```\n");
  }
  bug("format out of range", __FILE__, __LINE__);
}

std::string statistics_text(const Report& report, bool colour) {
  std::map<const Rule*, std::size_t> counts;
  for (const Finding& finding : report.findings) ++counts[finding.rule];
  std::vector<std::pair<const Rule*, std::size_t>> sorted(counts.begin(), counts.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first->code < b.first->code;
  });
  Table table({">findings", "code", "rule", "summary"});
  for (const auto& [rule, count] : sorted)
    table.add({std::to_string(count), std::string(rule->code), std::string(rule->name),
               std::string(rule->summary)});
  const Statistics& all = report.statistics;
  const double megabytes = static_cast<double>(all.bytes) / 1e6;
  std::string text = sorted.empty() ? "" : table.text(colour) + "\n";
  text += fmt::format("{} files, {:.1f} MB in {:.2f} s ({:.0f} MB/s)", all.files, megabytes,
                      all.seconds, all.seconds > 0 ? megabytes / all.seconds : 0);
  text += fmt::format("; {} suppressed, {} in the baseline\n", all.suppressed, all.in_baseline);
  return text;
}

std::string summary(const Report& report) {
  std::set<std::string_view> files;
  std::size_t safe = 0, unsafe = 0;
  for (const Finding& finding : report.findings) {
    files.insert(finding.path);
    if (finding.fixes.empty()) continue;
    const bool has_safe = std::any_of(finding.fixes.begin(), finding.fixes.end(),
                                      [](const Fix& fix) { return fix.safe; });
    ++(has_safe ? safe : unsafe);
  }
  const auto plural = [](std::size_t count, const char* word) {
    return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
  };
  if (report.findings.empty())
    return fmt::format("no findings in {}", plural(report.statistics.files, "file"));
  std::string text = fmt::format("{} in {} of {}", plural(report.findings.size(), "finding"),
                                 files.size(), plural(report.statistics.files, "file"));
  if (safe > 0) text += fmt::format("; --fix changes {}", safe);
  if (unsafe > 0) text += fmt::format("; --fix=unsafe changes {}", safe + unsafe);
  return text;
}

}  // namespace hipwright::lint
