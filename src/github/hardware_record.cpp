// SPDX-License-Identifier: MIT
#include "github/hardware_record.h"

#include "base/json.h"

namespace hipwright::github {

namespace {

std::string text_in(const Json& json, const char* key) {
  if (!json.is_object()) return {};
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

HardwareRecord record_of_verify(const Json& report, const std::string& file) {
  constexpr std::string_view kItem = "Hardware validation", kRan = "ran on ";
  HardwareRecord record{.file = file, .test = text_in(report, "subject")};
  record.result = "not verified on hardware";
  if (!report.is_object() || !report.contains("checklist") || !report["checklist"].is_array())
    return record;
  for (const Json& item : report["checklist"]) {
    if (!text_in(item, "item").starts_with(kItem)) continue;
    const std::string verdict = text_in(item, "verdict"), evidence = text_in(item, "evidence");
    if ((verdict != "pass" && verdict != "fail") || !evidence.starts_with(kRan)) continue;
    record.gpu = evidence.substr(kRan.size());
    record.has_failed = verdict == "fail";
    record.result = record.has_failed ? "failed" : "passed";
  }
  return record;
}

}  // namespace hipwright::github
