// SPDX-License-Identifier: MIT
#include "verify/findings.h"

#include <fmt/format.h>

#include "base/file.h"

namespace hipwright::verify {

namespace {

std::string text_at(const Json& of, const char* key) {
  const auto found = of.find(key);
  return found != of.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string text_of(const Json& finding) {
  std::string out = fmt::format("{}: {}", text_at(finding, "kind"), text_at(finding, "what"));
  const auto place = finding.find("place");
  if (place == finding.end()) return out;
  const std::string source = text_at(*place, "source"), location = text_at(*place, "location");
  const std::string instruction = text_at(*place, "instruction");
  if (!source.empty() || !location.empty())
    out += fmt::format(" at {}", source.empty() ? location : source);
  if (!instruction.empty()) out += fmt::format(" ({})", instruction);
  return out;
}

}  // namespace

Result<CheckReport> take_report(const std::filesystem::path& file) {
  CheckReport report;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return report;
  HW_TRY(const std::string text, read_file(file));
  HW_TRY(const Json json, parse_json(text, file.string()));
  if (!json.is_object()) return report;
  report.is_there = true;
  if (const auto found = json.find("findings"); found != json.end() && found->is_array())
    report.findings = *found;
  if (const auto found = json.find("finished"); found != json.end() && found->is_boolean())
    report.is_finished = found->get<bool>();
  if (const auto found = json.find("kernels"); found != json.end() && found->is_array())
    report.kernels = found->size();
  std::filesystem::remove(file, ignored);
  return report;
}

std::string findings_text(const Json& findings, std::string_view severity) {
  std::string out;
  for (const Json& each : findings)
    if (each.is_object() && each.value("severity", "error") == severity)
      out += "\n" + text_of(each);
  return out;
}

}  // namespace hipwright::verify
