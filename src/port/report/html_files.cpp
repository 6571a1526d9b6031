// SPDX-License-Identifier: MIT
// Files before and after, and the pages of the codes that they name.
#include <algorithm>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/html_diff.h"
#include "base/markdown.h"
#include "base/text_edit.h"
#include "base/uri.h"
#include "port/compile/compile.h"
#include "port/report/html.h"

namespace hipwright::port {

namespace {

constexpr std::size_t kRows = 4000;             // of one file's table
constexpr std::size_t kShownBytes = 16 * 1024;  // of a new file
constexpr std::size_t kFewFiles = 10;           // more need a filter

bool is_shown(const PortedFile& file) {
  return file.is_changed() || !file.diagnostics.empty();
}

std::string id_of(std::string_view path) {
  return "file-" + uri_of(path);
}

std::string said_item(const Diagnostic& said) {
  return fmt::format("<li class=\"{}\">line {}: {} {}<span class=\"why\">{}</span></li>\n",
                     class_of(tone_of(said.severity)), said.position.line, html_text(said.message),
                     code_link(said.code), html_text(said.why));
}

std::string said_of(const PortedFile& file) {
  std::string said, notes;
  std::size_t note_count = 0;
  for (const Diagnostic& each : file.diagnostics) {
    const bool is_note = each.severity == Severity::kNote;
    note_count += is_note;
    (is_note ? notes : said) += said_item(each);
  }
  const auto list = [](const std::string& items) {
    return items.empty() ? "" : "<ul class=\"said\">\n" + items + "</ul>\n";
  };
  std::string out = list(said);
  if (note_count != 0)
    out += html_details({.summary_html = html_badge(counted(note_count, "note"), Tone::kSoft),
                         .body_html = list(notes)});
  return out;
}

std::string compile_badge(const std::string& path, const CompiledPort* compiled) {
  if (compiled == nullptr) return {};
  for (const Unit& unit : compiled->units)
    if (unit.path == path)
      return unit.compiles       ? html_badge("compiles", Tone::kGood)
             : unit.is_checked() ? html_badge("does not compile", Tone::kBad)
                                 : html_badge("not checked", Tone::kOpen);
  return {};
}

std::string file_part(const PortedFile& file, const CompiledPort* compiled) {
  const std::string& path = file.source->path();
  const auto count = [&](Severity severity) {
    return std::count_if(file.diagnostics.begin(), file.diagnostics.end(),
                         [&](const Diagnostic& said) { return said.severity == severity; });
  };
  const auto badge = [](auto number, std::string_view noun, Tone tone) {
    return number == 0 ? "" : html_badge(counted(static_cast<std::size_t>(number), noun), tone);
  };
  const std::string arrow = file.renamed.empty() ? "" : " \xE2\x86\x92 " + html_text(file.renamed);
  std::string body;
  if (!file.diagnostics.empty()) body += said_of(file);
  if (!file.changes.empty())
    body += html_diff(unified_diff(path, file.source->text(), file.after()), kRows, false);
  return html_details(
      {.summary_html = fmt::format("<span class=\"path\">{}{}</span>{}{}{}{}", html_text(path),
                                   arrow, badge(file.meant().list().size(), "change", Tone::kSoft),
                                   badge(count(Severity::kError), "error", Tone::kBad),
                                   badge(count(Severity::kWarning), "warning", Tone::kOpen),
                                   compile_badge(path, compiled)),
       .body_html = std::move(body),
       .id = id_of(path),
       .name = path});
}

std::string added_part(const std::string& path, const std::string& content) {
  return html_details(
      {.summary_html = fmt::format("<span class=\"path\">{}</span>{}", html_text(path),
                                   html_badge("new", Tone::kGood)),
       .body_html = content.size() <= kShownBytes
                        ? "<pre>" + html_text(content) + "</pre>\n"
                        : fmt::format("<p>{} bytes, in the ported tree.</p>\n", content.size()),
       .id = id_of(path),
       .name = path});
}

}  // namespace

std::string html_place(const Ported& ported, std::string_view path, std::uint32_t line) {
  const std::string text =
      line == 0 ? html_text(path) : fmt::format("{}:{}", html_text(path), line);
  const auto link = [&](std::string_view to) {
    return fmt::format("<a class=\"path\" href=\"#{}\">{}</a>", id_of(to), text);
  };
  for (const PortedFile& file : ported.files)
    if (is_shown(file) && (file.source->path() == path || file.renamed == path))
      return link(file.source->path());
  if (ported.added.contains(std::string(path))) return link(path);
  return fmt::format("<span class=\"path\">{}</span>", text);
}

HtmlSection files_section(const Ported& ported, const CompiledPort* compiled) {
  std::string parts;
  std::size_t shown = 0;
  for (const PortedFile& file : ported.files) {
    if (!is_shown(file)) continue;
    ++shown;
    parts += file_part(file, compiled);
  }
  for (const auto& [path, content] : ported.added) parts += added_part(path, content);
  return {"files", "Files, before and after",
          (shown > kFewFiles ? html_filter("files", "Filter files by name") : "") + parts};
}

// All that the report names, notes too.
HtmlSection codes_section(const Ported& ported, const Summary& summary) {
  std::map<std::string, const Code*> named;
  const auto add = [&](std::string_view code) {
    if (const Code* known = find_code(code)) named.emplace(code, known);
  };
  for (const auto& [phase, count] : summary.phases)
    for (const auto& [code, of_code] : count.codes) add(code);
  for (const PortedFile& file : ported.files)
    for (const Diagnostic& said : file.diagnostics) add(said.code);
  HtmlSection section{"codes", "What the codes mean", ""};
  for (const auto& [code, known] : named) {
    const std::string_view page = known->page;
    section.html += html_details(
        {.summary_html = fmt::format("<span class=\"path\">{} {}</span>", html_text(code),
                                     html_of_markdown_line(known->title)),
         .body_html = html_of_markdown(page.substr(std::min(page.find('\n'), page.size()))),
         .id = code});
  }
  return section;
}

}  // namespace hipwright::port
