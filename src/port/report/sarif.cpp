// SPDX-License-Identifier: MIT
// SARIF 2.1.0: what is left to people. The changes themselves are in the JSON report.
#include <algorithm>

#include <fmt/format.h>

#include "base/json.h"
#include "base/uri.h"
#include "port/report/report.h"
#include "port/verify/verify.h"

namespace hipwright::port {

namespace {

Json rule_json(const Code& code) {
  return {{"id", code.code},
          {"name", code.name},
          {"shortDescription", {{"text", code.title}}},
          {"help", {{"text", code.page}, {"markdown", code.page}}},
          {"properties", {{"tags", {to_string(phase_of(code.code))}}}}};
}

Json result_json(const Diagnostic& said, const Position& end) {
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

// Where the ported file has it. Headers of the system are told by who includes them.
Json compile_json(const Unit& unit, const CompileError& error, const Ported& ported) {
  Diagnostic said;
  said.code = "HP890";
  said.severity = Severity::kError;
  const bool is_ours = ported.tree.find(error.path) != nullptr || ported.added.contains(error.path);
  said.path = is_ours ? error.path : unit.path;
  said.message = is_ours ? error.text : error.path + ": " + error.text;
  said.position = is_ours ? error.position : Position{};
  said.position.line = std::max<std::uint32_t>(said.position.line, 1);
  said.position.column = std::max<std::uint32_t>(said.position.column, 1);
  return result_json(said, said.position);
}

}  // namespace

std::string sarif_report(const Ported& ported, const Verified* verified) {
  Json rules = Json::array();
  for (const Code& code : all_codes()) rules.push_back(rule_json(code));
  Json results = Json::array();
  const std::vector<CompileError> no_errors;
  for (const PortedFile& file : ported.files) {
    if (file.diagnostics.empty()) continue;
    const LineIndex lines(file.source->text());
    for (const Diagnostic& said : file.diagnostics)
      results.push_back(result_json(said, lines.position(said.span.end)));
  }
  if (verified != nullptr)
    for (const Unit& unit : verified->units)
      for (const CompileError& error : unit.is_checked() ? unit.errors : no_errors)
        results.push_back(compile_json(unit, error, ported));
  Json driver = {
      {"name", "hipwright"}, {"semanticVersion", HIPWRIGHT_VERSION}, {"rules", std::move(rules)}};
  Json run = {{"tool", {{"driver", std::move(driver)}}}, {"results", std::move(results)}};
  return json_text({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({std::move(run)})}});
}

}  // namespace hipwright::port
