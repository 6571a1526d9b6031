// SPDX-License-Identifier: MIT
#include "verify/check_report.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/file.h"
#include "base/json.h"

namespace hipwright::verify {

namespace fs = std::filesystem;

namespace {

std::string text_at(const Json& of, const char* key) {
  const auto found = of.find(key);
  return found != of.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// What is neither is an error: whatever the program under test wrote there is no pass.
std::string_view severity_of(const Json& finding) {
  return text_at(finding, "severity") == "warning" ? "warning" : "error";
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

// checks.json, and checks.123.json of process 123.
std::vector<fs::path> files_of(const fs::path& file) {
  const std::string begin = file.stem().string() + ".", end = file.extension().string();
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(file.parent_path(), error), last; !error && at != last;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    const bool is_numbered = name.size() > begin.size() + end.size() && name.starts_with(begin) &&
                             name.ends_with(end) &&
                             std::all_of(name.begin() + static_cast<std::ptrdiff_t>(begin.size()),
                                         name.end() - static_cast<std::ptrdiff_t>(end.size()),
                                         [](char c) { return c >= '0' && c <= '9'; });
    if (name == file.filename() || is_numbered) files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Status add_report(const fs::path& file, CheckReport& report, Json& findings) {
  HW_TRY(const std::string text, read_file(file));
  HW_TRY(const Json json, parse_json(text, file.string()));
  if (!json.is_object()) return {};
  report.is_there = true;
  if (const auto found = json.find("findings"); found != json.end() && found->is_array())
    findings.insert(findings.end(), found->begin(), found->end());
  report.is_finished &= json.value("finished", Json()) == true;
  if (const auto found = json.find("kernels"); found != json.end() && found->is_array())
    report.kernels += found->size();
  std::error_code ignored;
  fs::remove(file, ignored);
  return {};
}

}  // namespace

CheckFindings::CheckFindings() : CheckFindings(Json::array()) {}

CheckFindings::CheckFindings(Json array) : array_(std::make_shared<const Json>(std::move(array))) {}

bool CheckFindings::empty() const {
  return array_->empty();
}

std::string CheckFindings::text(std::string_view severity) const {
  std::string out;
  for (const Json& each : *array_)
    if (severity_of(each) == severity) out += "\n" + text_of(each);
  return out;
}

Result<CheckReport> take_report(const fs::path& file) {
  CheckReport report;
  report.is_finished = true;
  Json findings = Json::array();
  for (const fs::path& each : files_of(file)) HW_CHECK(add_report(each, report, findings));
  report.is_finished &= report.is_there;
  report.findings = CheckFindings(std::move(findings));
  return report;
}

}  // namespace hipwright::verify
