// SPDX-License-Identifier: MIT
#include "base/json.h"

#include "port/compile/compile.h"
#include "port/report/report.h"

namespace hipwright::port {

namespace {

Json change_json(const Change& change, std::string_view text, const LineIndex& lines) {
  const Position at = lines.position(change.edit.span.begin);
  Json json = {{"phase", static_cast<int>(change.phase())},
               {"code", change.code.text()},
               {"line", at.line},
               {"column", at.column},
               {"before", text.substr(change.edit.span.begin, change.edit.span.size())},
               {"after", change.edit.replacement}};
  if (!change.reason.empty()) json["reason"] = change.reason;
  return json;
}

Json file_json(const PortedFile& file) {
  const std::string_view text = file.source->text();
  const LineIndex lines(text);
  Json changes = Json::array();
  for (const Change& change : file.meant().list())
    changes.push_back(change_json(change, text, lines));
  Json said = Json::array();
  for (const Diagnostic& each : file.diagnostics) said.push_back(json_of(each));
  Json json = {{"path", file.source->path()},
               {"language", to_string(file.source->language())},
               {"changed", file.is_changed()},
               {"changes", std::move(changes)},
               {"diagnostics", std::move(said)}};
  if (!file.renamed.empty()) json["renamed_to"] = file.renamed;
  return json;
}

Json phase_json(Phase phase, const PhaseCount& count) {
  Json codes = Json::object();
  for (const auto& [code, of_code] : count.codes)
    codes[code] = {
        {"changes", of_code.changes}, {"to_do", of_code.to_do}, {"notes", of_code.notes}};
  return {{"phase", static_cast<int>(phase)}, {"name", to_string(phase)}, {"files", count.files},
          {"changes", count.changes},         {"to_do", count.to_do},     {"notes", count.notes},
          {"codes", std::move(codes)}};
}

Json unit_json(const Unit& unit) {
  Json errors = Json::array();
  for (const CompileError& error : unit.errors)
    errors.push_back({{"path", error.path},
                      {"line", error.position.line},
                      {"column", error.position.column},
                      {"text", error.text}});
  Json json = {{"path", unit.path},
               {"result", unit.compiles       ? "compiles"
                          : unit.is_checked() ? "fails"
                                              : "not checked"},
               {"errors", std::move(errors)}};
  if (!unit.missing_header.empty()) json["missing_header"] = unit.missing_header;
  if (!unit.missing_library.empty()) json["missing_library"] = unit.missing_library;
  return json;
}

Json compiled_json(const CompiledPort& compiled) {
  Json units = Json::array();
  for (const Unit& unit : compiled.units) units.push_back(unit_json(unit));
  return {{"compiling", compiled.compiling()},
          {"failing", compiled.failing()},
          {"not_checked", compiled.not_checked()},
          {"repairs", compiled.repairs},
          {"units", std::move(units)}};
}

}  // namespace

std::string json_report(const Ported& ported, const CompiledPort* compiled) {
  const Summary all = summarise(ported);
  Json files = Json::array();
  for (const PortedFile& file : ported.files)
    if (file.is_changed() || !file.diagnostics.empty()) files.push_back(file_json(file));
  Json added = Json::array();
  for (const auto& [path, content] : ported.added)
    added.push_back({{"path", path}, {"bytes", content.size()}});
  Json not_read = Json::array();
  for (const project::NotRead& each : ported.tree.not_read)
    not_read.push_back({{"path", each.path}, {"why", each.why}, {"is_error", each.is_error}});
  Json to_do = Json::array();
  for (const Diagnostic* each : all.to_do)
    to_do.push_back({{"path", each->path},
                     {"line", each->position.line},
                     {"severity", to_string(each->severity)},
                     {"code", each->code},
                     {"message", each->message}});
  Json phases = Json::array();
  for (const auto& [phase, count] : all.phases) phases.push_back(phase_json(phase, count));
  Json json = {{"summary",
                {{"files", all.files},
                 {"changed", all.changed},
                 {"added", all.added},
                 {"to_do", all.to_do.size()},
                 {"errors", all.errors},
                 {"phases", std::move(phases)}}},
               {"files", std::move(files)},
               {"added", std::move(added)},
               {"left_to_do", std::move(to_do)},
               {"not_read", std::move(not_read)}};
  if (compiled != nullptr) json["compiled"] = compiled_json(*compiled);
  return json_text(json);
}

}  // namespace hipwright::port
