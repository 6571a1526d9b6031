// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/text_edit.h"
#include "port/report/report.h"

namespace hipwright::port {

namespace {

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>
:root { color-scheme: light dark; --line: #8884; --out: #f003; --in: #0a03; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 1500px; padding: 1rem; }
table { border-collapse: collapse; } td, th { padding: .15rem .6rem; text-align: left; }
.sum td, .sum th { border-bottom: 1px solid var(--line); } .n { text-align: right; }
.error { color: #d22; } .warning { color: #b70; } code, pre, .diff { font: 13px/1.4 monospace; }
details { border: 1px solid var(--line); border-radius: 4px; margin: .5rem 0; }
summary { cursor: pointer; padding: .3rem .6rem; } details > div { overflow-x: auto; padding: 0 .6rem; }
.diff { width: 100%; table-layout: fixed; } .diff td { white-space: pre-wrap; overflow-wrap: anywhere; vertical-align: top; padding: 0 .4rem; }
.diff .no { width: 4em; opacity: .6; text-align: right; } .out { background: var(--out); } .in { background: var(--in); }
.hunk td { opacity: .6; border-top: 1px dashed var(--line); } pre { white-space: pre-wrap; }
</style>
)";

// How many bytes the UTF-8 character at `at` has; 0: it is none.
std::size_t character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  const std::size_t size = first < 0x80   ? 1
                           : first < 0xC2 ? 0
                           : first < 0xE0 ? 2
                           : first < 0xF0 ? 3
                           : first < 0xF5 ? 4
                                          : 0;
  if (size == 0 || at + size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(at + i) & 0xC0U) != 0x80) return 0;
  return size;
}

// As text of HTML, whatever the bytes are.
std::string html(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_at(text, at);
    const char first = text[at];
    if (size == 0 ||
        (size == 1 && static_cast<unsigned char>(first) < 0x20 && first != '\t' && first != '\n'))
      out += first == '\r' ? "" : "\xEF\xBF\xBD";
    else if (first == '&')
      out += "&amp;";
    else if (first == '<')
      out += "&lt;";
    else if (first == '>')
      out += "&gt;";
    else if (first == '"')
      out += "&quot;";
    else
      out += text.substr(at, size);
    at += std::max<std::size_t>(size, 1);
  }
  return out;
}

std::string code_link(std::string_view code) {
  return fmt::format("<a href=\"#{0}\">{0}</a>", html(code));
}

std::string phases_html(const Summary& all) {
  std::string out =
      "<h2 id=\"phases\">Phases</h2>\n<table class=\"sum\"><tr><th>phase<th>what<th "
      "class=\"n\">changes"
      "<th class=\"n\">files<th class=\"n\">to do</tr>\n";
  for (const auto& [phase, count] : all.phases) {
    out += fmt::format(
        "<tr><th>{}<th>{}<td class=\"n\">{}<td class=\"n\">{}<td class=\"n\">{}</tr>\n",
        static_cast<int>(phase), to_string(phase), count.changes, count.files, count.to_do);
    for (const auto& [code, of_code] : count.codes) {
      const Code* known = find_code(code);
      out += fmt::format("<tr><td>{}<td>{}<td class=\"n\">{}<td><td class=\"n\">{}</tr>\n",
                         code_link(code), known != nullptr ? html(known->title) : "",
                         of_code.changes, of_code.to_do);
    }
  }
  return out + "</table>\n";
}

// `number`: which file it is among those of the tree, the name of its part of the page.
std::string to_do_html(const Ported& ported, const Summary& all) {
  if (all.to_do.empty()) return "<p>Nothing is left to do by hand.</p>\n";
  std::map<std::string_view, std::size_t> numbers;
  for (std::size_t i = 0; i < ported.files.size(); ++i) numbers[ported.files[i].source->path()] = i;
  std::string out = "<h2 id=\"todo\">Left to do by hand</h2>\n<table class=\"sum\">\n";
  for (const Diagnostic* said : all.to_do)
    out += fmt::format("<tr><td class=\"{}\">{}<td><a href=\"#f{}\">{}:{}</a><td>{}<td>{}</tr>\n",
                       to_string(said->severity), to_string(said->severity), numbers[said->path],
                       html(said->path), said->position.line, code_link(said->code),
                       html(said->message));
  return out + "</table>\n";
}

// A unified diff with what was on the left and what is on the right.
class SideBySide {
 public:
  std::string of(std::string_view diff) {
    out_ = "<table class=\"diff\">\n";
    for (std::size_t at = 0; at < diff.size();) {
      const std::size_t end = std::min(diff.find('\n', at), diff.size());
      line(diff.substr(at, end - at));
      at = end + 1;
    }
    flush();
    return std::move(out_) + "</table>\n";
  }

 private:
  void line(std::string_view text) {
    if (!in_hunk_ && !text.starts_with("@@")) return;  // names of files
    in_hunk_ = true;
    if (text.starts_with("@@")) {
      flush();
      old_ = number_behind(text, '-');
      new_ = number_behind(text, '+');
      out_ += fmt::format("<tr class=\"hunk\"><td class=\"no\"><td>{}<td class=\"no\"><td></tr>\n",
                          html(text));
    } else if (text.starts_with('-')) {
      removed_.push_back(text.substr(1));
    } else if (text.starts_with('+')) {
      added_.push_back(text.substr(1));
    } else if (text.starts_with(' ')) {
      flush();
      out_ += fmt::format("<tr><td class=\"no\">{}<td>{}<td class=\"no\">{}<td>{}</tr>\n", old_++,
                          html(text.substr(1)), new_++, html(text.substr(1)));
    }
  }
  static std::size_t number_behind(std::string_view text, char mark) {
    std::size_t number = 0;
    for (std::size_t i = text.find(mark) + 1; i < text.size() && text[i] >= '0' && text[i] <= '9';
         ++i)
      number = number * 10 + static_cast<std::size_t>(text[i] - '0');
    return number;
  }
  void flush() {
    for (std::size_t i = 0; i < std::max(removed_.size(), added_.size()); ++i) {
      out_ += i < removed_.size() ? fmt::format("<tr><td class=\"no\">{}<td class=\"out\">{}",
                                                old_++, html(removed_[i]))
                                  : "<tr><td class=\"no\"><td>";
      out_ += i < added_.size() ? fmt::format("<td class=\"no\">{}<td class=\"in\">{}</tr>\n",
                                              new_++, html(added_[i]))
                                : "<td class=\"no\"><td></tr>\n";
    }
    removed_.clear();
    added_.clear();
  }

  std::string out_;
  bool in_hunk_ = false;
  std::size_t old_ = 0, new_ = 0;
  std::vector<std::string_view> removed_, added_;
};

std::string file_html(const PortedFile& file, std::size_t number) {
  const std::string_view text = file.source->text();
  std::string out =
      fmt::format("<details id=\"f{}\"{}><summary>{} ({} changes, {} remarks)</summary><div>\n",
                  number, number < 20 ? " open" : "", html(file.source->path()),
                  file.meant().list().size(), file.diagnostics.size());
  for (const Diagnostic& said : file.diagnostics)
    out += fmt::format("<p class=\"{}\">line {}: {} {}</p>\n", to_string(said.severity),
                       said.position.line, html(said.message), code_link(said.code));
  if (!file.changes.empty())
    out += SideBySide().of(unified_diff(file.source->path(), text, file.after()));
  return out + "</div></details>\n";
}

std::string files_html(const Ported& ported) {
  std::string out = "<h2 id=\"files\">Files, before and after</h2>\n";
  for (std::size_t i = 0; i < ported.files.size(); ++i)
    if (!ported.files[i].changes.empty() || !ported.files[i].diagnostics.empty())
      out += file_html(ported.files[i], i);
  for (const auto& [path, content] : ported.added)
    out += fmt::format("<details><summary>{} (new)</summary><div><pre>{}</pre></div></details>\n",
                       html(path), html(content));
  return out;
}

std::string codes_html(const Summary& all) {
  std::string out = "<h2 id=\"codes\">What the codes mean</h2>\n";
  for (const auto& [phase, count] : all.phases)
    for (const auto& [code, of_code] : count.codes) {
      const Code* known = find_code(code);
      if (known == nullptr) continue;
      out += fmt::format(
          "<details id=\"{}\"><summary>{} {}</summary><div><pre>{}</pre></div></details>\n",
          html(code), html(code), html(known->title), html(known->page));
    }
  return out;
}

}  // namespace

std::string html_report(const Ported& ported, const std::string& title) {
  const Summary all = summarise(ported);
  return fmt::format(
      "{}<title>Port of {}</title></head><body>\n<h1>Port of {}</h1>\n"
      "<p>{} of {} files changed, {} added; {} places are left to a person, {} of which will not "
      "compile. <a href=\"#phases\">Phases</a>, <a href=\"#todo\">to do</a>, <a "
      "href=\"#files\">files</a>, <a href=\"#codes\">codes</a>.</p>\n{}{}{}{}"
      "<script>\n"
      "const show = () => {{ const at = document.getElementById(location.hash.slice(1)); if (at && "
      "at.tagName === 'DETAILS') at.open = true; }};\naddEventListener('hashchange', show); "
      "show();\n"
      "</script>\n</body></html>\n",
      kHead, html(title), html(title), all.changed, all.files, all.added, all.to_do.size(),
      all.errors, phases_html(all), to_do_html(ported, all), files_html(ported), codes_html(all));
}

}  // namespace hipwright::port
