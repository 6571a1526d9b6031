// SPDX-License-Identifier: MIT
#include <map>

#include "base/json.h"
#include "lint/output/output.h"

namespace hipwright::lint {

namespace {

Json fix_json(const Finding& finding) {
  const Fix& fix = finding.fixes.front();
  Json edits = Json::array();
  for (std::size_t i = 0; i < fix.edits.size(); ++i) {
    const PositionRange& range = finding.fix_ranges.front()[i];
    edits.push_back({{"line", range.begin.line},
                     {"column", range.begin.column},
                     {"end_line", range.end.line},
                     {"end_column", range.end.column},
                     {"begin", fix.edits[i].span.begin},
                     {"end", fix.edits[i].span.end},
                     {"text", fix.edits[i].replacement}});
  }
  return {{"description", fix.description}, {"safe", fix.safe}, {"edits", std::move(edits)}};
}

Json finding_json(const Finding& finding) {
  Json json = {{"code", finding.code},
               {"name", finding.rule->name},
               {"path", finding.path},
               {"line", finding.position.line},
               {"column", finding.position.column},
               {"end_line", finding.end.line},
               {"end_column", finding.end.column},
               {"severity", to_string(finding.severity)},
               {"confidence", to_string(finding.confidence)},
               {"message", finding.message},
               {"fingerprint", finding.fingerprint}};
  if (!finding.fixes.empty()) json["fix"] = fix_json(finding);
  return json;
}

}  // namespace

std::string json_output(const Report& report, bool statistics) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) findings.push_back(finding_json(finding));
  Json notes = Json::array();
  for (const FileNote& note : report.notes)
    notes.push_back({{"path", note.path}, {"what", note.what}});
  const Statistics& all = report.statistics;
  Json json = {{"findings", std::move(findings)},
               {"notes", std::move(notes)},
               {"files", all.files},
               {"suppressed", all.suppressed},
               {"in_baseline", all.in_baseline}};
  if (statistics) {
    std::map<std::string, std::size_t> counts;
    for (const Finding& finding : report.findings) ++counts[finding.code];
    json["statistics"] = {{"bytes", all.bytes}, {"seconds", all.seconds}, {"rules", counts}};
  }
  return json_text(json);
}

}  // namespace hipwright::lint
