// SPDX-License-Identifier: MIT
#include "lint/baseline.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/file.h"
#include "base/json.h"

namespace hipwright::lint {

namespace {

constexpr int kVersion = 1;

Error damaged(const std::string& origin, std::string why) {
  return {"cannot read the baseline", origin, std::move(why), "Recreate it with --write-baseline"};
}

}  // namespace

std::string baseline_text(const Report& report) {
  std::string text = fmt::format("{{\n  \"hipwright_baseline\": {},\n  \"findings\": [", kVersion);
  const char* separator = "\n";
  for (const Finding& finding : report.findings) {
    const Json line = {
        {"fingerprint", finding.fingerprint}, {"code", finding.code}, {"path", finding.path}};
    text += fmt::format("{}    {}", separator,
                        line.dump(-1, ' ', false, Json::error_handler_t::replace));
    separator = ",\n";
  }
  return text + (report.findings.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

Result<std::vector<std::string>> parse_baseline(std::string_view text, const std::string& origin) {
  HW_TRY(const Json json, parse_json(text, origin));
  if (!json.is_object() || !json.contains("hipwright_baseline"))
    return std::unexpected(damaged(origin, "missing key hipwright_baseline"));
  if (json["hipwright_baseline"] != kVersion)
    return std::unexpected(damaged(origin, "unsupported version"));
  if (!json.contains("findings") || !json["findings"].is_array())
    return std::unexpected(damaged(origin, "missing list of findings"));
  std::vector<std::string> fingerprints;
  for (const Json& each : json["findings"]) {
    if (!each.is_object() || !each.contains("fingerprint") || !each["fingerprint"].is_string())
      return std::unexpected(
          damaged(origin, fmt::format("finding {} has no fingerprint", fingerprints.size() + 1)));
    fingerprints.push_back(each["fingerprint"].get<std::string>());
  }
  return fingerprints;
}

Result<std::vector<std::string>> read_baseline(const std::filesystem::path& file) {
  HW_TRY(const std::string text, read_file(file));
  return parse_baseline(text, file.string());
}

}  // namespace hipwright::lint
