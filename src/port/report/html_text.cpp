// SPDX-License-Identifier: MIT
#include "port/report/html_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace hipwright::port {

namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Blocks of lines: each ends where the kind of line changes.
class Markdown {
 public:
  std::string of(std::string_view page) {
    for (const std::string_view line : lines_of(page)) take(line);
    close();
    return std::move(out_);
  }

 private:
  void take(std::string_view line) {
    if (line.starts_with("```")) {
      const bool ends = block_ == "pre";
      close();
      if (!ends) open("pre");
    } else if (block_ == "pre") {
      out_ += html(line) + "\n";
    } else if (line.empty()) {
      close();
    } else if (line.starts_with("#")) {
      close();
      const std::size_t text = line.find_first_not_of("# ");
      if (text != std::string_view::npos && text > 2)
        out_ += "<h4>" + html_of_line(line.substr(text)) + "</h4>\n";  // the first is the title
    } else if (line.starts_with("- ")) {
      if (block_ != "ul") open("ul");
      out_ += "<li>" + html_of_line(line.substr(2)) + "\n";
    } else if (line.starts_with("|")) {
      row(line);
    } else {
      if (block_ != "p" && block_ != "ul") open("p");
      out_ += html_of_line(line) + "\n";
    }
  }
  void row(std::string_view line) {
    if (block_ != "table") open("table");
    if (line.find_first_not_of("|-: ") == std::string_view::npos) return;
    out_ += "<tr>";
    line.remove_prefix(1);
    while (!line.empty()) {
      const std::size_t end = std::min(line.find('|'), line.size());
      out_ += "<td>" + html_of_line(line.substr(0, end));
      line.remove_prefix(std::min(end + 1, line.size()));
    }
    out_ += "</tr>\n";
  }
  void open(std::string_view block) {
    close();
    block_ = block;
    out_ += fmt::format("<{}>", block);
  }
  void close() {
    if (!block_.empty()) out_ += fmt::format("</{}>\n", block_);
    block_ = {};
  }

  std::string out_;
  std::string_view block_;
};

bool is_inside_character(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80;
}

// The line with what differs from the other marked; nothing is, where little is common.
std::string marked(std::string_view line, std::string_view other) {
  const std::size_t most = std::min(line.size(), other.size());
  std::size_t before = 0;
  while (before < most && line[before] == other[before]) ++before;
  while (before > 0 && is_inside_character(line, before)) --before;
  std::size_t behind = 0;
  while (behind < most - before &&
         line[line.size() - 1 - behind] == other[other.size() - 1 - behind])
    ++behind;
  while (behind > 0 && is_inside_character(line, line.size() - behind)) --behind;
  if ((before + behind) * 3 < line.size()) return html(line);
  return html(line.substr(0, before)) + "<b>" +
         html(line.substr(before, line.size() - before - behind)) + "</b>" +
         html(line.substr(line.size() - behind));
}

class SideBySide {
 public:
  explicit SideBySide(std::size_t rows) : left_(rows) {}

  std::string of(std::string_view diff) {
    out_ = "<table class=\"diff\">\n";
    for (const std::string_view each : lines_of(diff)) line(each);
    flush();
    out_ += "</table>\n";
    if (cut_ != 0) out_ += fmt::format("<p>{} more lines: --diff has all.</p>\n", cut_);
    return std::move(out_);
  }

 private:
  void line(std::string_view text) {
    if (!in_hunk_ && !text.starts_with("@@")) return;  // names of files
    in_hunk_ = true;
    if (text.starts_with("@@")) {
      flush();
      old_ = number_behind(text, '-');
      new_ = number_behind(text, '+');
      row(fmt::format("<tr class=\"hunk\"><td colspan=\"4\">{}</tr>\n", html(text)));
    } else if (text.starts_with('-')) {
      removed_.push_back(text.substr(1));
    } else if (text.starts_with('+')) {
      added_.push_back(text.substr(1));
    } else if (text.starts_with(' ')) {
      flush();
      const std::string same = html(text.substr(1));
      row(fmt::format(
          "<tr class=\"same\"><td class=\"no\">{}<td>{}<td class=\"no\">{}<td>{}</tr>\n", old_++,
          same, new_++, same));
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
      const bool has_old = i < removed_.size();
      const bool has_new = i < added_.size();
      const std::string_view was = has_old ? removed_[i] : std::string_view();
      const std::string_view now = has_new ? added_[i] : std::string_view();
      std::string cells = has_old ? fmt::format("<tr><td class=\"no\">{}<td class=\"out\">{}",
                                                old_++, has_new ? marked(was, now) : html(was))
                                  : "<tr><td class=\"no none\"><td class=\"none\">";
      cells += has_new ? fmt::format("<td class=\"no\">{}<td class=\"in\">{}</tr>\n", new_++,
                                     has_old ? marked(now, was) : html(now))
                       : "<td class=\"no none\"><td class=\"none\"></tr>\n";
      row(cells);
    }
    removed_.clear();
    added_.clear();
  }
  void row(const std::string& cells) {
    if (left_ == 0) {
      ++cut_;
      return;
    }
    --left_;
    out_ += cells;
  }

  std::string out_;
  bool in_hunk_ = false;
  std::size_t old_ = 0, new_ = 0, left_, cut_ = 0;
  std::vector<std::string_view> removed_, added_;
};

}  // namespace

std::string html_of_line(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t at = text.find_first_of("`[");
    out += html(text.substr(0, at));
    if (at == std::string_view::npos) break;
    text.remove_prefix(at);
    const char closing = text[0] == '`' ? '`' : ']';
    const std::size_t end = text.find(closing, 1);
    const std::size_t link =
        closing == ']' && end != std::string_view::npos && text.substr(end + 1).starts_with('(')
            ? text.find(')', end)
            : std::string_view::npos;
    if (closing == '`' && end != std::string_view::npos) {
      out += "<code>" + html(text.substr(1, end - 1)) + "</code>";
      text.remove_prefix(end + 1);
    } else if (link != std::string_view::npos) {
      out += html_of_line(text.substr(1, end - 1));
      text.remove_prefix(link + 1);
    } else {
      out += html(text.substr(0, 1));
      text.remove_prefix(1);
    }
  }
  return out;
}

std::string html_of_markdown(std::string_view page) {
  return Markdown().of(page);
}

std::string html_of_diff(std::string_view diff, std::size_t rows) {
  return SideBySide(rows).of(diff);
}

}  // namespace hipwright::port
