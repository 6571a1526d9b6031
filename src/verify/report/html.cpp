// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/counted.h"
#include "base/html.h"
#include "base/html_diff.h"
#include "port/report/html.h"
#include "verify/report/report.h"

namespace hipwright::verify {

namespace {

// The top of the pyramid proves most.
constexpr std::array kLevels = {Level::kNumerical, Level::kFunctional, Level::kBuild,
                                Level::kStatic};
constexpr std::size_t kMostToDo = 12;  // checks that the summary names
constexpr std::size_t kDiffRows = 2000;

constexpr std::string_view kStyle = R"(
.pyramid { list-style: none; margin: 1rem 0; padding: 0; } .pyramid li { border-radius: 4px; color: #fff; margin: 3px auto; padding: .45rem 1rem; text-align: center; }
.pyramid a { color: inherit; } .pyramid .good { background: #1b7f3b; color: #fff; } .pyramid .bad { background: #b3261e; color: #fff; } .pyramid .open { background: #76560f; color: #fff; }
.pyramid small { display: block; } .verdict { font-weight: 600; white-space: nowrap; }
figure { margin: .5rem 0; } figcaption { color: var(--soft); font-size: .87em; }
img { border: 1px solid var(--line); image-rendering: pixelated; max-width: 100%; min-width: 128px; }
.checks { table-layout: fixed; } .checks td { overflow-wrap: anywhere; }
.checks th:nth-child(1) { width: 7rem; } .checks th:nth-child(2) { width: 16%; } .checks th:nth-child(3) { width: 30%; }
@media (max-width: 760px) { .checks, .checks tbody, .checks tr, .checks td { display: block; width: 100%; } .checks thead { display: none; } .pyramid li { width: 100% !important; } }
)";

Tone tone_of(Verdict verdict) {
  return verdict == Verdict::kPass   ? Tone::kGood
         : verdict == Verdict::kFail ? Tone::kBad
                                     : Tone::kOpen;
}

std::string verdict_html(Verdict verdict) {
  return fmt::format("<span class=\"verdict {}\">{}</span>", class_of(tone_of(verdict)),
                     to_string(verdict));
}

HtmlTable checks_table() {
  return HtmlTable({"verdict", "subject", "check", "evidence"}, "checks");
}

std::string pyramid_html(const Pyramid& pyramid) {
  std::string out = "<ol class=\"pyramid\">\n";
  int width = 40;
  for (const Level level : kLevels) {
    const Counts counts = counts_of(pyramid, level);
    const Verdict verdict = verdict_of(pyramid, level);
    const std::string name(to_string(level));
    out += fmt::format("<li class=\"{}\" style=\"width:{}%\">{}: {}<small>{}</small></li>\n",
                       class_of(tone_of(verdict)), width,
                       counts.all == 0 ? name : html_link(name, name), to_string(verdict),
                       counts.all == 0 ? "not requested"
                                       : fmt::format("{} passed, {} failed, {} not checked",
                                                     counts.pass, counts.fail, counts.open));
    width += 18;
  }
  return out + "</ol>\n";
}

std::string joined(const std::set<std::string>& names) {
  return html_text(fmt::format("{}", fmt::join(names, ", ")));
}

std::size_t count(const Pyramid& pyramid, Verdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(pyramid.checks.begin(), pyramid.checks.end(),
                    [&](const Check& check) { return check.verdict == verdict; }));
}

HtmlAnswer proven_answer(const Pyramid& pyramid) {
  std::set<std::string> devices, compilers;
  for (const Check& check : pyramid.checks) {
    if (check.verdict == Verdict::kNotChecked) continue;
    if (!check.setting.device.empty()) devices.insert(check.setting.device);
    if (!check.setting.compiler.empty()) compilers.insert(check.setting.compiler);
  }
  const std::size_t passed = count(pyramid, Verdict::kPass);
  return {"Proven",
          fmt::format("<p>{} of {} checks passed.</p>\n<p class=\"soft\">{} {}</p>", passed,
                      pyramid.checks.size(),
                      devices.empty() ? "Nothing was run." : "Ran on " + joined(devices) + ".",
                      compilers.empty() ? "Nothing was compiled."
                                        : "Compiled by " + joined(compilers) + "."),
          passed == 0 ? Tone::kOpen : Tone::kGood};
}

HtmlAnswer not_proven_answer(const Pyramid& pyramid) {
  const std::size_t failed = count(pyramid, Verdict::kFail);
  const std::size_t open = count(pyramid, Verdict::kNotChecked);
  const bool has_amd =
      std::any_of(pyramid.checks.begin(), pyramid.checks.end(), [](const Check& check) {
        return check.setting.kind == "hip" && check.verdict != Verdict::kNotChecked;
      });
  std::string html;
  if (failed != 0 || open != 0)
    html += fmt::format("{} failed, {} not checked. ", counted(failed, "check"), open);
  if (!has_amd) html += "<strong>Not verified on AMD hardware.</strong>";
  return {"Not proven", html.empty() ? "Nothing that was asked." : std::move(html),
          failed != 0             ? Tone::kBad
          : open != 0 || !has_amd ? Tone::kOpen
                                  : Tone::kGood};
}

// What failed, then what was not checked: each is something that a person can change.
HtmlAnswer to_do_answer(const Pyramid& pyramid) {
  std::string items;
  std::size_t number = 0;
  for (const Verdict verdict : {Verdict::kFail, Verdict::kNotChecked})
    for (const Check& check : pyramid.checks) {
      if (check.verdict != verdict || ++number > kMostToDo) continue;
      const std::string_view evidence = check.evidence;
      items +=
          fmt::format("<li>{} {}: {} <span class=\"soft\">{}</span></li>\n", verdict_html(verdict),
                      html_text(check.subject), html_link(to_string(check.level), check.question),
                      html_text(evidence.substr(0, evidence.find('\n'))));
    }
  if (number == 0) return {"To do", "Nothing.", Tone::kGood};
  if (number > kMostToDo) items += fmt::format("<li>and {} more, below</li>\n", number - kMostToDo);
  return {"To do", "<ul>\n" + items + "</ul>", Tone::kOpen};
}

std::string evidence_html(const Check& check) {
  const std::string& evidence = check.evidence;
  const bool is_long = evidence.size() > 240 || evidence.find('\n') != std::string::npos;
  std::string out;
  if (is_long && check.verdict == Verdict::kPass)
    out = html_details(
        {.summary_html = "evidence", .body_html = "<pre>" + html_text(evidence) + "</pre>\n"});
  else if (is_long)
    out = "<pre>" + html_text(evidence) + "</pre>\n";
  else
    out = html_text(evidence);
  if (check.picture.empty()) return out;
  return out + fmt::format(
                   "<figure><img alt=\"errors by row and column\" src=\"{}\"><figcaption>Errors by "
                   "row and column: black is equal, blue within the tolerance, red wrong (brighter "
                   "is larger), yellow NaN or infinity.</figcaption></figure>",
                   data_url("image/png", check.picture));
}

void add_row(HtmlTable& table, const Check& check) {
  table.row({verdict_html(check.verdict), html_text(check.subject),
             html_text(check.question) + (check.setting.device.empty()
                                              ? ""
                                              : fmt::format("<br><small class=\"soft\">{}</small>",
                                                            html_text(check.setting.device))),
             evidence_html(check)});
}

void add_levels(std::vector<HtmlSection>& sections, const Pyramid& pyramid) {
  for (const Level level : kLevels) {
    if (counts_of(pyramid, level).all == 0) continue;
    HtmlTable table = checks_table();
    for (const Verdict verdict : {Verdict::kFail, Verdict::kNotChecked, Verdict::kPass})
      for (const Check& check : pyramid.checks)
        if (check.level == level && check.verdict == verdict) add_row(table, check);
    std::string title(to_string(level));
    title[0] = static_cast<char>(title[0] - 'a' + 'A');
    sections.push_back({std::string(to_string(level)), title + " checks", table.html()});
  }
}

HtmlSection checklist_section(const Pyramid& pyramid) {
  HtmlTable table({"verdict", "item", "evidence"});
  for (const ChecklistItem& item : checklist(pyramid))
    table.row({verdict_html(item.verdict), html_text(item.item), html_text(item.evidence)});
  return {"checklist", "Pull request checklist", table.html()};
}

std::string name_of(const std::string& path) {
  const std::size_t end = path.find_last_not_of('/') + 1;
  const std::size_t slash = path.rfind('/', end == 0 ? 0 : end - 1);
  return path.substr(slash == std::string::npos ? 0 : slash + 1,
                     end - (slash == std::string::npos ? 0 : slash + 1));
}

// What the run before the fixes found, what explains it, and what was changed.
void add_round(std::vector<HtmlSection>& sections, const Round& round, const port::Ported& ported) {
  HtmlTable caught = checks_table();
  HtmlTable explained({"place", "finding"});
  bool has_caught = false, has_explained = false;
  for (const Check& check : round.pyramid.checks) {
    if (check.verdict != Verdict::kFail) continue;
    if (check.diagnostics.empty()) add_row(caught, check);
    has_caught |= check.diagnostics.empty();
    for (const Diagnostic& each : check.diagnostics) {
      has_explained = true;
      explained.row(
          {port::html_place(ported, each.path, each.position.line),
           fmt::format("{}<br><small class=\"soft\">{} {}</small>", html_text(each.message),
                       html_text(each.why), html_code("hipwright lint explain " + each.code))});
    }
  }
  if (has_caught) sections.push_back({"caught", "Caught before the fixes", caught.html()});
  if (has_explained) sections.push_back({"explained", "Explained", explained.html()});
  if (!round.fixes.empty())
    sections.push_back({"fixed", "Fixed",
                        fmt::format("<p>Safe fixes applied: {}. They keep the meaning on every "
                                    "target.</p>\n{}",
                                    round.fixed, html_diff(round.fixes, kDiffRows, true))});
}

}  // namespace

std::string html_report(const Pyramid& pyramid) {
  HtmlPage page{.title = "Verification of " + name_of(pyramid.subject),
                .lead_html = html_answers({proven_answer(pyramid), not_proven_answer(pyramid),
                                           to_do_answer(pyramid)}) +
                             pyramid_html(pyramid),
                .style = std::string(kStyle)};
  add_levels(page.sections, pyramid);
  page.sections.push_back(checklist_section(pyramid));
  return html_page(page);
}

std::string html_report(const Flow& flow) {
  const Pyramid& proven = *flow.proven();
  HtmlAnswer to_do = to_do_answer(proven);
  to_do.question = "To do for the checks";
  HtmlPage page{
      .title = fmt::format("Port of {} to ROCm, verified", name_of(proven.subject)),
      .lead_html = html_answers({proven_answer(proven), not_proven_answer(proven),
                                 port::to_do_answer(port::summarise(flow.ported)), to_do}) +
                   pyramid_html(proven),
      .style = std::string(kStyle)};
  std::vector<HtmlSection> of_port =
      port::html_sections(flow.ported, flow.compiled ? &*flow.compiled : nullptr);
  page.sections.push_back(std::move(of_port.front()));
  for (std::size_t i = 0; i + 1 < flow.rounds.size(); ++i)
    add_round(page.sections, flow.rounds[i], flow.ported);
  add_levels(page.sections, proven);
  page.sections.push_back(checklist_section(proven));
  page.sections.insert(page.sections.end(), std::make_move_iterator(of_port.begin() + 1),
                       std::make_move_iterator(of_port.end()));
  return html_page(page);
}

}  // namespace hipwright::verify
