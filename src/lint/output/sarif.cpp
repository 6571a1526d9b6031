// SPDX-License-Identifier: MIT
#include "base/sarif.h"

#include "lint/output/output.h"

namespace hipwright::lint {

namespace {

SarifRule sarif_rule(const Rule& rule) {
  return {.id = std::string(rule.code),
          .name = std::string(rule.name),
          .summary = std::string(rule.summary),
          .page = explanation(rule),
          .tags = {std::string(to_string(rule.area()))},
          .level = rule.severity};
}

SarifFix sarif_fix(const Finding& finding, std::size_t index) {
  const Fix& fix = finding.fixes[index];
  // Viewers show the description only.
  SarifFix sarif{
      .description = fix.safe ? fix.description : "unsafe, review it: " + fix.description,
      .safe = fix.safe};
  for (std::size_t i = 0; i < fix.edits.size(); ++i) {
    const PositionRange& range = finding.code_points.fixes[index][i];
    sarif.replacements.push_back({{range.begin, range.end}, fix.edits[i].replacement});
  }
  return sarif;
}

SarifResult sarif_result(const Finding& finding) {
  SarifResult result{.rule = finding.code,
                     .level = finding.severity,
                     .confidence = finding.confidence,
                     .message = finding.message,
                     .path = finding.path,
                     .region = {finding.code_points.range.begin, finding.code_points.range.end},
                     .fingerprint = finding.fingerprint};
  if (finding.line.is_whole) result.line = finding.line.text;
  for (std::size_t i = 0; i < finding.fixes.size(); ++i)
    result.fixes.push_back(sarif_fix(finding, i));
  return result;
}

}  // namespace

std::string sarif_output(const Report& report) {
  SarifRun run;
  for (const Rule& rule : all_rules()) run.rules.push_back(sarif_rule(rule));
  for (const Finding& finding : report.findings) run.results.push_back(sarif_result(finding));
  for (const FileNote& note : report.notes) run.notifications.push_back({note.path, note.what});
  return sarif_text(run);
}

}  // namespace hipwright::lint
