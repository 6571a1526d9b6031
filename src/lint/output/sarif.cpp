// SPDX-License-Identifier: MIT
// SARIF 2.1.0, as code scanning services read it.
#include <filesystem>

#include <fmt/format.h>

#include "base/json.h"
#include "base/uri.h"
#include "lint/output/output.h"

namespace hipwright::lint {

namespace {

// Of 100: how much a finding should come first.
double rank_of(Confidence confidence) {
  return confidence == Confidence::kHigh ? 90 : confidence == Confidence::kMedium ? 60 : 30;
}

Json artifact(const std::string& path) {
  // What lies outside of the base has no address relative to it.
  if (path.starts_with("../"))
    return artifact(std::filesystem::absolute(path).lexically_normal().string());
  if (path.starts_with('/')) return {{"uri", "file://" + uri_of(path)}};
  return {{"uri", uri_of(path)}, {"uriBaseId", "%SRCROOT%"}};
}

// Columns count code points; those on lines that are not shown to us are bytes.
std::uint32_t column(const Finding& finding, Position position) {
  if (position.line != finding.position.line || position.column < finding.line_text_column)
    return position.column;
  const std::size_t bytes = position.column - finding.line_text_column;
  std::uint32_t inside = 0;
  for (std::size_t i = 0; i < std::min(bytes, finding.line_text.size()); ++i)
    inside += (static_cast<unsigned char>(finding.line_text[i]) & 0xC0U) == 0x80;
  return position.column - inside;
}

Json region(const Finding& finding, Position begin, Position end) {
  return {{"startLine", begin.line},
          {"startColumn", column(finding, begin)},
          {"endLine", end.line},
          {"endColumn", column(finding, end)}};
}

Json rule_json(const Rule& rule) {
  const std::string page = explanation(rule);
  return {{"id", rule.code},
          {"name", rule.name},
          {"shortDescription", {{"text", rule.summary}}},
          {"help", {{"text", page}, {"markdown", page}}},
          {"defaultConfiguration", {{"level", to_string(rule.severity)}}},
          {"properties", {{"tags", {to_string(rule.area())}}}}};
}

Json fix_json(const Finding& finding, std::size_t index) {
  const Fix& fix = finding.fixes[index];
  Json replacements = Json::array();
  for (std::size_t i = 0; i < fix.edits.size(); ++i) {
    const PositionRange& range = finding.fix_ranges[index][i];
    replacements.push_back({{"deletedRegion", region(finding, range.begin, range.end)},
                            {"insertedContent", {{"text", fix.edits[i].replacement}}}});
  }
  Json change = {{"artifactLocation", artifact(finding.path)},
                 {"replacements", std::move(replacements)}};
  return {{"description", {{"text", fix.description}}},
          {"artifactChanges", Json::array({std::move(change)})}};
}

Json result_json(const Finding& finding) {
  Json physical = {{"artifactLocation", artifact(finding.path)},
                   {"region", region(finding, finding.position, finding.end)}};
  // A snippet is the text of its region, to the byte: the line has a region of its own.
  if (finding.line_text_column == 1)
    physical["contextRegion"] = {{"startLine", finding.position.line},
                                 {"snippet", {{"text", finding.line_text}}}};
  Json json = {{"ruleId", finding.code},
               {"ruleIndex", finding.rule - all_rules().data()},
               {"level", to_string(finding.severity)},
               {"rank", rank_of(finding.confidence)},
               {"message", {{"text", finding.message}}},
               {"locations", Json::array({Json{{"physicalLocation", std::move(physical)}}})},
               {"partialFingerprints", {{"hipwright/v1", finding.fingerprint}}},
               {"properties", {{"confidence", to_string(finding.confidence)}}}};
  for (std::size_t i = 0; i < finding.fixes.size(); ++i)
    json["fixes"].push_back(fix_json(finding, i));
  return json;
}

Json invocation(const Report& report) {
  Json notes = Json::array();
  for (const FileNote& note : report.notes) {
    Json location = {{"physicalLocation", {{"artifactLocation", artifact(note.path)}}}};
    notes.push_back({{"level", "note"},
                     {"message", {{"text", note.what}}},
                     {"locations", Json::array({std::move(location)})}});
  }
  return {{"executionSuccessful", true}, {"toolExecutionNotifications", std::move(notes)}};
}

}  // namespace

std::string sarif_output(const Report& report) {
  Json rules = Json::array();
  for (const Rule& rule : all_rules()) rules.push_back(rule_json(rule));
  Json results = Json::array();
  for (const Finding& finding : report.findings) results.push_back(result_json(finding));
  Json driver = {
      {"name", "hipwright"}, {"semanticVersion", HIPWRIGHT_VERSION}, {"rules", std::move(rules)}};
  Json run = {{"tool", {{"driver", std::move(driver)}}},
              {"columnKind", "unicodeCodePoints"},
              {"invocations", Json::array({invocation(report)})},
              {"results", std::move(results)}};
  return json_text({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({std::move(run)})}});
}

}  // namespace hipwright::lint
