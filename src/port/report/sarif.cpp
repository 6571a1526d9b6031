// SPDX-License-Identifier: MIT
// SARIF 2.1.0: what is left to people. The changes themselves are in the JSON report.
#include <fmt/format.h>

#include "base/json.h"
#include "port/report/report.h"

namespace hipwright::port {

namespace {

std::string uri_of(std::string_view path) {
  std::string uri;
  for (const char byte : path) {
    const bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                          (byte >= '0' && byte <= '9') ||
                          std::string_view("/._-~+@,").find(byte) != std::string_view::npos;
    if (is_plain)
      uri += byte;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
  }
  return uri;
}

Json rule_json(const Code& code) {
  return {{"id", code.code},
          {"name", code.name},
          {"shortDescription", {{"text", code.title}}},
          {"help", {{"text", code.page}, {"markdown", code.page}}},
          {"properties", {{"tags", {to_string(phase_of(code.code))}}}}};
}

Json result_json(const Diagnostic& said, const LineIndex& lines) {
  const Position end = lines.position(said.span.end);
  Json physical = {{"artifactLocation", {{"uri", uri_of(said.path)}, {"uriBaseId", "%SRCROOT%"}}},
                   {"region",
                    {{"startLine", said.position.line},
                     {"startColumn", said.position.column},
                     {"endLine", end.line},
                     {"endColumn", end.column}}}};
  Json json = {{"ruleId", said.code},
               {"level", to_string(said.severity)},  // SARIF has the same three words
               {"message", {{"text", said.message}}},
               {"locations", Json::array({Json{{"physicalLocation", std::move(physical)}}})}};
  for (std::size_t i = 0; i < all_codes().size(); ++i)
    if (all_codes()[i].code == said.code) json["ruleIndex"] = i;
  return json;
}

}  // namespace

std::string sarif_report(const Ported& ported) {
  Json rules = Json::array();
  for (const Code& code : all_codes()) rules.push_back(rule_json(code));
  Json results = Json::array();
  for (const PortedFile& file : ported.files) {
    if (file.diagnostics.empty()) continue;
    const LineIndex lines(file.source->text());
    for (const Diagnostic& said : file.diagnostics) results.push_back(result_json(said, lines));
  }
  Json driver = {
      {"name", "hipwright"}, {"semanticVersion", HIPWRIGHT_VERSION}, {"rules", std::move(rules)}};
  Json run = {{"tool", {{"driver", std::move(driver)}}}, {"results", std::move(results)}};
  return json_text({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({std::move(run)})}});
}

}  // namespace hipwright::port
