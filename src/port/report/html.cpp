// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "base/text_edit.h"
#include "port/report/html_text.h"
#include "port/report/report.h"
#include "port/verify/verify.h"

namespace hipwright::port {

namespace {

constexpr std::size_t kRows = 4000;             // of one file's table
constexpr std::size_t kShownBytes = 16 * 1024;  // of a new file
constexpr std::size_t kShownErrors = 10;        // of one unit: the first explain the others

std::string_view plural(std::size_t number) {
  return number == 1 ? "" : "s";
}

std::string code_link(std::string_view code) {
  return fmt::format("<a href=\"#{0}\">{0}</a>", html(code));
}

std::string card(std::string_view number, std::string_view what, std::string_view colour = {}) {
  return fmt::format("<div class=\"card\"><b class=\"{}\">{}</b><span>{}</span></div>\n", colour,
                     number, what);
}

class HtmlReport {
 public:
  HtmlReport(const Ported& ported, const Verified* verified)
      : ported_(ported), verified_(verified), all_(summarise(ported)) {
    for (std::size_t i = 0; i < ported.files.size(); ++i)
      numbers_[ported.files[i].source->path()] = i;
  }

  std::string whole(const std::string& title) const {
    std::string out =
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
        "name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n";
    out += fmt::format(
        "<title>Port of {0} to ROCm</title>\n<style>{1}</style></head><body>\n"
        "<h1>Port of {0} to ROCm</h1>\n",
        html(title), kReportStyle);
    out += "<nav><a href=\"#phases\">Phases</a><a href=\"#todo\">Left to do</a>";
    if (verified_ != nullptr) out += "<a href=\"#compiled\">Compiled</a>";
    out += "<a href=\"#files\">Files</a><a href=\"#codes\">Codes</a></nav>\n";
    out += cards() + phases() + to_do() + compiled() + files() + not_read() + codes();
    return out + fmt::format(
                     "<footer>hipwright {}. The file is complete in itself: nothing is "
                     "loaded.</footer>\n<script>{}</script>\n</body></html>\n",
                     HIPWRIGHT_VERSION, kReportScript);
  }

 private:
  std::string cards() const {
    const std::size_t warnings = all_.to_do.size() - all_.errors;
    std::size_t changes = 0;
    for (const auto& [phase, count] : all_.phases) changes += count.changes;
    std::string out = "<div class=\"cards\">\n";
    out += card(fmt::format("{} / {}", all_.changed, all_.files), "files changed, of those read");
    out += card(std::to_string(changes), "changes, each with its reason");
    out += card(std::to_string(all_.added), "files added");
    out += card(std::to_string(all_.errors), "places that will not compile as they are",
                all_.errors == 0 ? "good" : "error");
    out += card(std::to_string(warnings), "places to look at", warnings == 0 ? "good" : "warning");
    if (verified_ != nullptr)
      out += card(fmt::format("{} / {}", verified_->compiling(),
                              verified_->units.size() - verified_->not_checked()),
                  "translation units compile", verified_->failing() == 0 ? "good" : "error");
    return out + "</div>\n";
  }

  std::string phases() const {
    std::string out =
        "<h2 id=\"phases\">Phases</h2>\n<table class=\"sum\"><tr><th>phase<th>what<th "
        "class=\"n\">changes<th class=\"n\">files<th class=\"n\">to do</tr>\n";
    const auto number = [](std::size_t count) { return count == 0 ? "" : std::to_string(count); };
    for (const auto& [phase, count] : all_.phases) {
      out += fmt::format(
          "<tr class=\"phase\"><td>{}<td>{}<td class=\"n\">{}<td class=\"n\">{}<td "
          "class=\"n\">{}</tr>\n",
          static_cast<int>(phase), to_string(phase), number(count.changes), number(count.files),
          number(count.to_do));
      for (const auto& [code, of_code] : count.codes) {
        const Code* known = find_code(code);
        out += fmt::format("<tr><td>{}<td>{}<td class=\"n\">{}<td><td class=\"n\">{}</tr>\n",
                           code_link(code), known != nullptr ? html_of_line(known->title) : "",
                           number(of_code.changes), number(of_code.to_do));
      }
    }
    return out + "</table>\n";
  }

  // By code: what helps at one place helps at the others.
  std::string to_do() const {
    std::string out = "<h2 id=\"todo\">Left to do by hand</h2>\n";
    if (all_.to_do.empty()) return out + "<p class=\"good\">Nothing.</p>\n";
    std::map<std::string, std::vector<const Diagnostic*>> by_code;
    for (const Diagnostic* said : all_.to_do) by_code[said->code].push_back(said);
    std::vector<const std::vector<const Diagnostic*>*> groups;
    for (const auto& [code, list] : by_code) groups.push_back(&list);
    std::stable_sort(groups.begin(), groups.end(), [](const auto* a, const auto* b) {
      return a->front()->severity > b->front()->severity;
    });
    for (const auto* group : groups) {
      const Diagnostic& first = *group->front();
      const Code* known = find_code(first.code);
      out += fmt::format(
          "<details{}><summary><span class=\"path\">{} {}</span><span class=\"tag {}\">{} "
          "place{}</span></summary><div><ul class=\"places\">\n",
          groups.size() <= 3 && group->size() <= 20 ? " open" : "", html(first.code),
          known != nullptr ? html_of_line(known->title) : "", to_string(first.severity),
          group->size(), plural(group->size()));
      for (const Diagnostic* said : *group)
        out += fmt::format("<li><a class=\"path\" href=\"#{}\">{}:{}</a> {}\n", file_id(said->path),
                           html(said->path), said->position.line, html(said->message));
      out +=
          fmt::format("</ul><p>{} says what to do.</p></div></details>\n", code_link(first.code));
    }
    return out;
  }

  std::string compiled() const {
    if (verified_ == nullptr) return {};
    std::string out = fmt::format(
        "<h2 id=\"compiled\">Compiled</h2>\n<p>{} of {} translation units compile{}; {} could not "
        "be checked here.</p>\n",
        verified_->compiling(), verified_->units.size() - verified_->not_checked(),
        verified_->repairs == 0 ? "" : fmt::format(", after {} repairs", verified_->repairs),
        verified_->not_checked());
    for (const Unit& unit : verified_->units) {
      if (unit.compiles) continue;
      out += fmt::format(
          "<details><summary><a class=\"path\" href=\"#{}\">{}</a><span class=\"tag {}\">{}</span>"
          "</summary><div><pre>",
          file_id(unit.path), html(unit.path), unit.is_checked() ? "error" : "note",
          unit.is_checked()
              ? fmt::format("{} error{}", unit.errors.size(), plural(unit.errors.size()))
              : html(unit.missing_library) + " is not installed");
      for (std::size_t i = 0; i < std::min(unit.errors.size(), kShownErrors); ++i) {
        const CompileError& error = unit.errors[i];
        out += fmt::format("{}:{}:{}: {}\n", html(error.path), error.position.line,
                           error.position.column, html(error.text));
      }
      if (unit.errors.size() > kShownErrors)
        out += fmt::format("and {} more\n", unit.errors.size() - kShownErrors);
      out += "</pre></div></details>\n";
    }
    return out;
  }

  std::string files() const {
    std::size_t shown = 0;
    std::string list;
    for (const PortedFile& file : ported_.files) {
      if (!file.is_changed() && file.diagnostics.empty()) continue;
      ++shown;
      list += one(file);
    }
    for (const auto& [path, content] : ported_.added) list += added(path, content);
    std::string out = "<h2 id=\"files\">Files, before and after</h2>\n";
    if (shown > 10)
      out +=
          "<p><input id=\"filter\" type=\"search\" placeholder=\"Show files whose name has …\" "
          "aria-label=\"Show files whose name has this text\"></p>\n";
    return out + "<div id=\"all\">\n" + list + "</div>\n";
  }

  std::string one(const PortedFile& file) const {
    const std::string& path = file.source->path();
    std::size_t errors = 0, warnings = 0;
    for (const Diagnostic& said : file.diagnostics) {
      errors += said.severity == Severity::kError;
      warnings += said.severity == Severity::kWarning;
    }
    const std::size_t changes = file.meant().list().size();
    const auto tag = [](std::size_t count, std::string_view what, std::string_view colour) {
      return count == 0 ? std::string()
                        : fmt::format("<span class=\"tag {}\">{} {}{}</span>", colour, count, what,
                                      plural(count));
    };
    std::string out = fmt::format(
        "<details id=\"{}\" data-path=\"{}\"><summary><span class=\"path\">{}{}</span>{}{}{}{}"
        "</summary><div>\n",
        file_id(path), html(path), html(path),
        file.renamed.empty() ? "" : " \xE2\x86\x92 " + html(file.renamed),
        tag(changes, "change", "soft"), tag(errors, "error", "error"),
        tag(warnings, "warning", "warning"), compile_tag(path));
    if (!file.diagnostics.empty()) out += said_of(file);
    if (!file.changes.empty())
      out += html_of_diff(unified_diff(path, file.source->text(), file.after()), kRows);
    return out + "</div></details>\n";
  }

  std::string compile_tag(const std::string& path) const {
    if (verified_ == nullptr) return {};
    for (const Unit& unit : verified_->units)
      if (unit.path == path)
        return unit.compiles       ? "<span class=\"tag good\">compiles</span>"
               : unit.is_checked() ? "<span class=\"tag error\">does not compile</span>"
                                   : "<span class=\"tag note\">not checked</span>";
    return {};
  }

  static std::string said_of(const PortedFile& file) {
    std::string out, notes;
    std::size_t count = 0;
    for (const Diagnostic& said : file.diagnostics) {
      const bool is_note = said.severity == Severity::kNote;
      count += is_note;
      (is_note ? notes : out) +=
          fmt::format("<li class=\"{}\">line {}: {} {}<span class=\"why\">{}</span>\n",
                      to_string(said.severity), said.position.line, html(said.message),
                      code_link(said.code), html(said.why));
    }
    out = "<ul class=\"said\">\n" + out + "</ul>\n";
    if (count != 0)
      out += fmt::format(
          "<details><summary class=\"note\">{} note{}</summary><div><ul "
          "class=\"said\">\n{}</ul></div></details>\n",
          count, plural(count), notes);
    return out;
  }

  static std::string added(const std::string& path, const std::string& content) {
    return fmt::format(
        "<details data-path=\"{0}\"><summary><span class=\"path\">{0}</span><span class=\"tag "
        "good\">new</span></summary><div>{1}</div></details>\n",
        html(path),
        content.size() <= kShownBytes
            ? "<pre>" + html(content) + "</pre>"
            : fmt::format("<p>{} bytes; it is in the ported tree.</p>", content.size()));
  }

  std::string not_read() const {
    if (ported_.tree.not_read.empty()) return {};
    std::string out = "<h2 id=\"notread\">Not read</h2>\n<ul class=\"places\">\n";
    for (const NotRead& each : ported_.tree.not_read)
      out += fmt::format("<li><span class=\"path\">{}</span> <span class=\"soft\">{}</span>\n",
                         html(each.path), html(each.why));
    return out + "</ul>\n";
  }

  // Of all that the report names, notes too.
  std::string codes() const {
    std::map<std::string, const Code*> named;
    const auto add = [&](std::string_view code) {
      if (const Code* known = find_code(code)) named.emplace(code, known);
    };
    for (const auto& [phase, count] : all_.phases)
      for (const auto& [code, of_code] : count.codes) add(code);
    for (const PortedFile& file : ported_.files)
      for (const Diagnostic& said : file.diagnostics) add(said.code);
    std::string out = "<h2 id=\"codes\">What the codes mean</h2>\n";
    for (const auto& [code, known] : named)
      out += fmt::format(
          "<details id=\"{0}\"><summary><span class=\"path\">{0} {1}</span></summary><div>{2}"
          "</div></details>\n",
          html(code), html_of_line(known->title), html_of_markdown(known->page));
    return out;
  }

  std::string file_id(const std::string& path) const {
    const auto at = numbers_.find(path);
    return at == numbers_.end() ? "files" : fmt::format("f{}", at->second);
  }

  const Ported& ported_;
  const Verified* verified_;
  const Summary all_;
  std::map<std::string_view, std::size_t> numbers_;
};

}  // namespace

std::string html_report(const Ported& ported, const std::string& title, const Verified* verified) {
  return HtmlReport(ported, verified).whole(title);
}

}  // namespace hipwright::port
