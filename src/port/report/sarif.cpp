// SPDX-License-Identifier: MIT
// What remains to do by hand, and what does not compile. The changes are in the JSON report.
#include "base/sarif.h"

#include <algorithm>
#include <map>

#include "base/line_text.h"
#include "port/compile/compile.h"
#include "port/report/report.h"

namespace hipwright::port {

namespace {

SarifRule sarif_rule(const Code& code) {
  return {.id = std::string(code.code),
          .name = std::string(code.name),
          .summary = std::string(code.title),
          .page = explanation(code),
          .tags = {std::string(to_string(phase_of(code.code)))},
          .level = std::nullopt};
}

SarifResult sarif_result(const Diagnostic& said) {
  return {.rule = said.code,
          .level = said.severity,
          .confidence = said.confidence,
          .message = said.message,
          .path = said.path};
}

void add_diagnostics(SarifRun& run, const PortedFile& file) {
  if (file.diagnostics.empty()) return;
  const std::string_view text = file.source->text();
  const LineIndex lines(text);
  CodePointPositions positions(text, lines);
  Fingerprints fingerprints(file.source->path());
  for (const Diagnostic& said : file.diagnostics) {
    SarifResult result = sarif_result(said);
    result.region.begin = positions.of(said.span.begin);
    result.region.end = positions.of(said.span.end);
    const LineExcerpt line = line_excerpt(text, lines, lines.position(said.span.begin));
    result.fingerprint = fingerprints.next(said.code, line.text);
    if (line.is_whole) result.line = line.text;
    run.results.push_back(std::move(result));
  }
}

// Ported texts by path, each made once.
class PortedTexts {
 public:
  explicit PortedTexts(const Ported& ported) : ported_(ported) {}

  bool has(const std::string& path) const {
    return ported_.tree.find(path) != nullptr || ported_.added.contains(path);
  }
  const std::string& of(const std::string& path) {
    const auto [text, is_new] = texts_.try_emplace(path);
    if (!is_new) return text->second;
    if (const auto added = ported_.added.find(path); added != ported_.added.end())
      return text->second = added->second;
    for (const PortedFile& file : ported_.files)
      if (file.source->path() == path) text->second = file.after();
    return text->second;
  }

 private:
  const Ported& ported_;
  std::map<std::string, std::string> texts_;
};

// At its place in the ported file. An error in a header of the system is reported at the start of
// the unit that includes it.
SarifResult compile_result(const Unit& unit, const CompileError& error, PortedTexts& texts) {
  SarifResult result{.rule = std::string(CodeId("HP890").text()), .level = Severity::kError};
  if (!texts.has(error.path)) {
    result.message = error.path + ": " + error.text;
    result.path = unit.path;
    return result;
  }
  result.message = error.text;
  result.path = error.path;
  const std::string& text = texts.of(error.path);
  const LineIndex lines(text);
  const Position at = {std::max<std::uint32_t>(error.position.line, 1), error.position.column};
  result.region.begin = CodePointPositions(text, lines).of(at);
  result.region.end = result.region.begin;
  return result;
}

}  // namespace

std::string sarif_report(const Ported& ported, const CompiledPort* compiled) {
  SarifRun run;
  for (const Code& code : all_codes()) run.rules.push_back(sarif_rule(code));
  for (const PortedFile& file : ported.files) add_diagnostics(run, file);
  PortedTexts texts(ported);
  if (compiled != nullptr)
    for (const Unit& unit : compiled->units)
      if (unit.is_checked())
        for (const CompileError& error : unit.errors)
          run.results.push_back(compile_result(unit, error, texts));
  for (const project::NotRead& each : ported.tree.not_read)
    run.notifications.push_back({each.path, each.why});
  return sarif_text(run);
}

}  // namespace hipwright::port
