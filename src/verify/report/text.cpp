// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.h"
#include "base/visible.h"
#include "port/report/report.h"
#include "verify/report/report.h"

namespace hipwright::verify {

namespace {

constexpr std::array kLevels = {Level::kStatic, Level::kBuild, Level::kFunctional,
                                Level::kNumerical};

std::string coloured(Verdict verdict, bool colour) {
  const std::string word = fmt::format("{:<11}", to_string(verdict));
  if (!colour) return word;
  const char* code = verdict == Verdict::kPass ? "32" : verdict == Verdict::kFail ? "31" : "33";
  return fmt::format("\x1b[{}m{}\x1b[0m", code, word);
}

std::string indented(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += fmt::format("      {}\n", text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

Json json_of_check(const Check& check) {
  Json json = {{"level", to_string(check.level)},    {"subject", check.subject},
               {"question", check.question},         {"verdict", to_string(check.verdict)},
               {"evidence", check.evidence},         {"device", check.setting.device},
               {"compiler", check.setting.compiler}, {"seconds", check.seconds}};
  Json diagnostics = Json::array();
  for (const Diagnostic& each : check.diagnostics) diagnostics.push_back(json_of(each));
  if (!diagnostics.empty()) json["diagnostics"] = std::move(diagnostics);
  return json;
}

std::string cell_text(std::string_view text) {
  return markdown_text(text, "<br>");
}

std::string_view mark(Verdict verdict) {
  return verdict == Verdict::kPass   ? "pass"
         : verdict == Verdict::kFail ? "**fail**"
                                     : "not checked";
}

// Checks with one reason are one group, in the order of their first ones.
std::vector<std::vector<const Check*>> with_same_evidence(const Pyramid& pyramid, Level level,
                                                          Verdict verdict) {
  std::vector<std::vector<const Check*>> groups;
  for (const Check& check : pyramid.checks) {
    if (check.level != level || check.verdict != verdict) continue;
    const auto known = std::ranges::find_if(
        groups, [&](const auto& group) { return group.front()->evidence == check.evidence; });
    if (known == groups.end())
      groups.push_back({&check});
    else
      known->push_back(&check);
  }
  return groups;
}

// Each check, or the first few and how many more, then their reason.
std::string text_of(const std::vector<const Check*>& group, bool colour) {
  constexpr std::size_t kShown = 3;
  std::string out;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Check& check = *group[i];
    if (i == kShown && group.size() > kShown + 1) {
      out += fmt::format("    {} {} more\n", coloured(check.verdict, colour), group.size() - i);
      break;
    }
    out += fmt::format("    {} {}: {}{}\n", coloured(check.verdict, colour), check.subject,
                       check.question,
                       check.setting.device.empty() ? "" : " on " + check.setting.device);
  }
  return out + indented(group.front()->evidence);
}

}  // namespace

std::string text_report(const Pyramid& pyramid, bool colour) {
  std::string out;
  for (const Level level : kLevels) {
    const Counts counts = counts_of(pyramid, level);
    if (counts.all == 0) continue;
    out += fmt::format("{:<11} {} {} passed, {} failed, {} not checked\n", to_string(level),
                       coloured(verdict_of(pyramid, level), colour), counts.pass, counts.fail,
                       counts.open);
    for (const Verdict verdict : {Verdict::kFail, Verdict::kNotChecked})
      for (const std::vector<const Check*>& group : with_same_evidence(pyramid, level, verdict))
        out += text_of(group, colour);
  }
  return out;
}

Json json_report(const Pyramid& pyramid) {
  Json levels = Json::object();
  for (const Level level : kLevels) {
    const Counts counts = counts_of(pyramid, level);
    if (counts.all == 0) continue;
    levels[std::string(to_string(level))] = {{"verdict", to_string(verdict_of(pyramid, level))},
                                             {"passed", counts.pass},
                                             {"failed", counts.fail},
                                             {"not_checked", counts.open}};
  }
  Json checks = Json::array();
  for (const Check& check : pyramid.checks) checks.push_back(json_of_check(check));
  Json items = Json::array();
  for (const ChecklistItem& item : checklist(pyramid))
    items.push_back(
        {{"item", item.item}, {"verdict", to_string(item.verdict)}, {"evidence", item.evidence}});
  return {{"subject", pyramid.subject},
          {"levels", std::move(levels)},
          {"checks", std::move(checks)},
          {"checklist", std::move(items)}};
}

std::string markdown_report(const Pyramid& pyramid) {
  std::set<std::string> hardware, software, compilers;
  for (const Check& check : pyramid.checks) {
    if (check.verdict == Verdict::kNotChecked) continue;
    const std::string& device = check.setting.device;
    if (!check.setting.compiler.empty()) compilers.insert(check.setting.compiler);
    if (device.empty()) continue;
    (check.setting.is_hardware() ? hardware : software).insert(device);
  }
  std::string out = "## Hardware validation\n\n";
  out += hardware.empty() ? "Not verified on hardware.\n"
                          : fmt::format("Ran on {}.\n", fmt::join(hardware, ", "));
  if (!software.empty())
    out += fmt::format("\nRan without hardware on {}.\n", fmt::join(software, ", "));
  if (!compilers.empty()) out += fmt::format("\nCompiled by {}.\n", fmt::join(compilers, "; "));
  out += "\n| level | verdict | passed | failed | not checked |\n| --- | --- | --- | --- | --- |\n";
  for (const Level level : kLevels) {
    const Counts counts = counts_of(pyramid, level);
    if (counts.all == 0) continue;
    out += fmt::format("| {} | {} | {} | {} | {} |\n", to_string(level),
                       mark(verdict_of(pyramid, level)), counts.pass, counts.fail, counts.open);
  }
  std::string rows;
  for (const Check& check : pyramid.checks)
    if (check.verdict != Verdict::kPass)
      rows += fmt::format("| {} | {} | {} | {} |\n", mark(check.verdict), cell_text(check.subject),
                          cell_text(check.question), cell_text(check.evidence));
  if (!rows.empty())
    out += "\n| verdict | subject | question | evidence |\n| --- | --- | --- | --- |\n" + rows;
  out += "\n### Checklist\n\n";
  for (const ChecklistItem& item : checklist(pyramid))
    out += fmt::format("- [{}] {} ({})\n", item.verdict == Verdict::kPass ? "x" : " ",
                       markdown_text(item.item), markdown_text(item.evidence));
  return out;
}

std::string text_report(const Flow& flow, bool colour) {
  std::string out = port::summary_text(flow.ported, 20, colour, flow.compiled.has_value());
  for (const Round& round : flow.rounds) {
    out += "\n" + text_report(round.pyramid, colour);
    if (!round.fixes.empty())
      out += fmt::format("\nfixed {} places; verifying again:\n{}", round.fixed, round.fixes);
  }
  return out;
}

Json json_report(const Flow& flow) {
  Json rounds = Json::array();
  for (const Round& round : flow.rounds)
    rounds.push_back(
        {{"verified", json_report(round.pyramid)}, {"fixed", round.fixed}, {"fixes", round.fixes}});
  const auto ported = parse_json(port::json_report(flow.ported), "port");
  return {{"port", ported ? *ported : Json()}, {"rounds", std::move(rounds)}};
}

}  // namespace hipwright::verify
