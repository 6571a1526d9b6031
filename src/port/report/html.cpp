// SPDX-License-Identifier: MIT
#include "port/report/html.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/markdown.h"
#include "port/compile/compile.h"

namespace hipwright::port {

namespace {

constexpr std::size_t kShownErrors = 10;  // of one unit: the first explain the others

std::string title_of(std::string_view code) {
  const Code* known = find_code(code);
  return known != nullptr ? html_of_markdown_line(known->title) : "";
}

// By code: one solution applies to all its places.
std::vector<std::vector<const Diagnostic*>> by_code(const Summary& summary) {
  std::map<std::string, std::vector<const Diagnostic*>> codes;
  for (const Diagnostic* said : summary.to_do) codes[said->code].push_back(said);
  std::vector<std::vector<const Diagnostic*>> groups;
  for (auto& [code, list] : codes) groups.push_back(std::move(list));
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
    return a.front()->severity > b.front()->severity;
  });
  return groups;
}

HtmlSection to_do_section(const Ported& ported, const Summary& summary) {
  HtmlSection section{"todo", "To do by hand", ""};
  if (summary.to_do.empty()) section.html = "<p class=\"good\">Nothing.</p>\n";
  const auto groups = by_code(summary);
  for (const auto& group : groups) {
    const Diagnostic& first = *group.front();
    std::string places = "<ul class=\"places\">\n";
    for (const Diagnostic* said : group)
      places += fmt::format("<li>{} {}</li>\n", html_place(ported, said->path, said->position.line),
                            html_text(said->message));
    places += fmt::format("</ul>\n<p>What to do: {}.</p>\n", code_link(first.code));
    section.html += html_details(
        {.summary_html = fmt::format(
             "<span class=\"path\">{} {}</span>{}", html_text(first.code), title_of(first.code),
             html_badge(counted(group.size(), "place"), tone_of(first.severity))),
         .body_html = std::move(places),
         .is_open = groups.size() <= 3 && group.size() <= 20});
  }
  return section;
}

std::string unit_errors(const Unit& unit) {
  if (!unit.is_checked())
    return fmt::format("<p>Header not found: {}.</p>\n", html_code(unit.missing_header));
  std::string out = "<pre>";
  for (std::size_t i = 0; i < std::min(unit.errors.size(), kShownErrors); ++i) {
    const CompileError& error = unit.errors[i];
    out += fmt::format("{}:{}:{}: {}\n", html_text(error.path), error.position.line,
                       error.position.column, html_text(error.text));
  }
  if (unit.errors.size() > kShownErrors)
    out += fmt::format("and {} more\n", unit.errors.size() - kShownErrors);
  return out + "</pre>\n";
}

HtmlSection compiled_section(const Ported& ported, const CompiledPort& compiled) {
  HtmlSection section{"compiled", "Compiled", ""};
  section.html = fmt::format(
      "<p>{} of {} translation units compile{}; {} not checked.</p>\n", compiled.compiling(),
      compiled.units.size() - compiled.not_checked(),
      compiled.repairs == 0 ? "" : fmt::format(", after {}", counted(compiled.repairs, "repair")),
      compiled.not_checked());
  for (const Unit& unit : compiled.units) {
    if (unit.compiles) continue;
    const std::string badge =
        unit.is_checked() ? html_badge(counted(unit.errors.size(), "error"), Tone::kBad)
                          : html_badge(unit.missing_library + " is not installed", Tone::kOpen);
    section.html += html_details(
        {.summary_html = html_place(ported, unit.path, 0) + badge, .body_html = unit_errors(unit)});
  }
  return section;
}

HtmlSection phases_section(const Summary& summary) {
  HtmlTable table({"phase", "change", ">changes", ">files", ">to do", ">notes"});
  const auto number = [](std::size_t count) { return count == 0 ? "" : std::to_string(count); };
  for (const auto& [phase, count] : summary.phases) {
    table.row(
        {std::to_string(static_cast<int>(phase)), html_text(to_string(phase)),
         number(count.changes), number(count.files), number(count.to_do), number(count.notes)},
        "group");
    for (const auto& [code, of_code] : count.codes)
      table.row({code_link(code), title_of(code), number(of_code.changes), "",
                 number(of_code.to_do), number(of_code.notes)});
  }
  return {"phases", "Changes by phase", table.html()};
}

HtmlSection not_read_section(const Ported& ported) {
  HtmlSection section{"notread", "Not read", "<ul class=\"places wide\">\n"};
  for (const project::NotRead& each : ported.tree.not_read)
    section.html +=
        fmt::format("<li><span class=\"path\">{}</span> <span class=\"soft\">{}</span></li>\n",
                    html_text(each.path), html_text(each.why));
  section.html += "</ul>\n";
  return section;
}

HtmlAnswer proven_answer(const CompiledPort* compiled) {
  if (compiled == nullptr || compiled->compiling() == 0)
    return {"Proven", compiled == nullptr ? "Nothing was compiled." : "Nothing.", Tone::kOpen};
  return {"Proven",
          fmt::format("{} of {} compile for AMD GPUs.", compiled->compiling(),
                      counted(compiled->units.size(), "translation unit")),
          compiled->failing() == 0 ? Tone::kGood : Tone::kOpen};
}

HtmlAnswer not_proven_answer(const CompiledPort* compiled) {
  std::string html;
  if (compiled == nullptr)
    html = "Whether it compiles and computes the same results. ";
  else
    html = fmt::format("{} {} not compile, {} not checked, and nothing was run. ",
                       html_link("compiled", counted(compiled->failing(), "translation unit")),
                       compiled->failing() == 1 ? "does" : "do", compiled->not_checked());
  html += fmt::format("{} compiles, runs and compares.", html_code("hipwright port --verify"));
  return {"Not proven", std::move(html),
          compiled != nullptr && compiled->failing() != 0 ? Tone::kBad : Tone::kOpen};
}

std::string cards(const Summary& summary, const CompiledPort* compiled) {
  const std::size_t warnings = summary.to_do.size() - summary.errors;
  std::size_t changes = 0;
  for (const auto& [phase, count] : summary.phases) changes += count.changes;
  std::vector<HtmlCard> cards = {
      {fmt::format("{} / {}", summary.changed, summary.files), "files changed, of those read"},
      {std::to_string(changes), "changes, each with its reason"},
      {std::to_string(summary.added), "files added"},
      {std::to_string(summary.errors), "errors to mend by hand",
       summary.errors == 0 ? Tone::kGood : Tone::kBad},
      {std::to_string(warnings), "places to review", warnings == 0 ? Tone::kGood : Tone::kOpen}};
  if (compiled != nullptr)
    cards.push_back({fmt::format("{} / {}", compiled->compiling(),
                                 compiled->units.size() - compiled->not_checked()),
                     "translation units compile",
                     compiled->failing() == 0 ? Tone::kGood : Tone::kBad});
  return html_cards(cards);
}

}  // namespace

std::string code_link(std::string_view code) {
  return html_link(code, code);
}

Tone tone_of(Severity severity) {
  return severity == Severity::kError     ? Tone::kBad
         : severity == Severity::kWarning ? Tone::kOpen
                                          : Tone::kSoft;
}

HtmlAnswer to_do_answer(const Summary& summary) {
  if (summary.to_do.empty()) return {"To do by hand", "Nothing.", Tone::kGood};
  const std::size_t warnings = summary.to_do.size() - summary.errors;
  std::string html = html_link("todo", counted(summary.to_do.size(), "place")) + ": ";
  if (summary.errors != 0) html += counted(summary.errors, "error");
  if (summary.errors != 0 && warnings != 0) html += ", ";
  if (warnings != 0) html += fmt::format("{} to review", warnings);
  return {"To do by hand", html + ".", summary.errors == 0 ? Tone::kOpen : Tone::kBad};
}

std::vector<HtmlSection> html_sections(const Ported& ported, const CompiledPort* compiled) {
  const Summary summary = summarise(ported);
  std::vector<HtmlSection> sections = {to_do_section(ported, summary)};
  if (compiled != nullptr) sections.push_back(compiled_section(ported, *compiled));
  sections.push_back(phases_section(summary));
  sections.push_back(files_section(ported, compiled));
  if (!ported.tree.not_read.empty()) sections.push_back(not_read_section(ported));
  sections.push_back(codes_section(ported, summary));
  return sections;
}

std::string html_report(const Ported& ported, const std::string& title,
                        const CompiledPort* compiled) {
  const Summary summary = summarise(ported);
  return html_page({.title = fmt::format("Port of {} to ROCm", title),
                    .lead_html = html_answers({proven_answer(compiled), not_proven_answer(compiled),
                                               to_do_answer(summary)}) +
                                 cards(summary, compiled),
                    .sections = html_sections(ported, compiled)});
}

}  // namespace hipwright::port
