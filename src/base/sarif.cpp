// SPDX-License-Identifier: MIT
#include "base/sarif.h"

#include <filesystem>
#include <map>

#include "base/json.h"
#include "base/uri.h"

namespace hipwright {

namespace {

// From 0 to 100: what should be looked at first.
double rank_of(Confidence confidence) {
  return confidence == Confidence::kHigh ? 90 : confidence == Confidence::kMedium ? 60 : 30;
}

Json message(std::string_view text) {
  return {{"text", text}};
}

Json artifact(const std::string& path) {
  // A file outside the root has no address relative to it.
  if (path.starts_with("../"))
    return artifact(std::filesystem::absolute(path).lexically_normal().string());
  if (path.starts_with('/')) return {{"uri", "file://" + uri_of(path)}};
  return {{"uri", uri_of(path)}, {"uriBaseId", "%SRCROOT%"}};
}

Json region_json(const SarifRegion& region) {
  return {{"startLine", region.begin.line},
          {"startColumn", region.begin.column},
          {"endLine", region.end.line},
          {"endColumn", region.end.column}};
}

Json rule_json(const SarifRule& rule) {
  Json json = {{"id", rule.id},
               {"name", rule.name},
               {"shortDescription", message(rule.summary)},
               {"help", {{"text", rule.page}, {"markdown", rule.page}}}};
  if (rule.level) json["defaultConfiguration"] = {{"level", to_string(*rule.level)}};
  json["properties"] = {{"tags", rule.tags}};
  return json;
}

Json fix_json(const SarifFix& fix, const std::string& path) {
  Json replacements = Json::array();
  for (const SarifReplacement& each : fix.replacements)
    replacements.push_back(
        {{"deletedRegion", region_json(each.region)}, {"insertedContent", message(each.text)}});
  Json change = {{"artifactLocation", artifact(path)}, {"replacements", std::move(replacements)}};
  return {{"description", message(fix.description)},
          {"properties", {{"safe", fix.safe}}},
          {"artifactChanges", Json::array({std::move(change)})}};
}

Json location(const SarifResult& result) {
  Json physical = {{"artifactLocation", artifact(result.path)},
                   {"region", region_json(result.region)}};
  // A snippet is the exact text of its region, so the line gets a region of its own.
  if (result.line)
    physical["contextRegion"] = {{"startLine", result.region.begin.line},
                                 {"snippet", message(*result.line)}};
  return {{"physicalLocation", std::move(physical)}};
}

Json result_json(const SarifResult& result, const std::map<std::string_view, std::size_t>& rules) {
  Json json = {{"ruleId", result.rule}};
  if (const auto rule = rules.find(result.rule); rule != rules.end())
    json["ruleIndex"] = rule->second;
  json["level"] = to_string(result.level);  // SARIF has the same three words
  json["rank"] = rank_of(result.confidence);
  json["message"] = message(result.message);
  json["locations"] = Json::array({location(result)});
  if (!result.fingerprint.empty())
    json["partialFingerprints"] = {{"hipwright/v1", result.fingerprint}};
  json["properties"] = {{"confidence", to_string(result.confidence)}};
  for (const SarifFix& fix : result.fixes) json["fixes"].push_back(fix_json(fix, result.path));
  return json;
}

Json notification_json(const SarifNotification& notification) {
  Json place = {{"physicalLocation", {{"artifactLocation", artifact(notification.path)}}}};
  return {{"level", "note"},
          {"message", message(notification.message)},
          {"locations", Json::array({std::move(place)})}};
}

}  // namespace

std::string sarif_text(const SarifRun& run) {
  Json rules = Json::array(), results = Json::array(), notifications = Json::array();
  std::map<std::string_view, std::size_t> index_of;
  for (const SarifRule& rule : run.rules) {
    index_of.emplace(rule.id, rules.size());
    rules.push_back(rule_json(rule));
  }
  for (const SarifResult& result : run.results) results.push_back(result_json(result, index_of));
  for (const SarifNotification& each : run.notifications)
    notifications.push_back(notification_json(each));
  Json driver = {
      {"name", "hipwright"}, {"semanticVersion", HIPWRIGHT_VERSION}, {"rules", std::move(rules)}};
  Json invocation = {{"executionSuccessful", true},
                     {"toolExecutionNotifications", std::move(notifications)}};
  Json json = {{"tool", {{"driver", std::move(driver)}}},
               {"columnKind", "unicodeCodePoints"},
               {"invocations", Json::array({std::move(invocation)})},
               {"results", std::move(results)}};
  return json_text({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({std::move(json)})}});
}

}  // namespace hipwright
