// SPDX-License-Identifier: MIT
#include "base/html_diff.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "base/html.h"

namespace hipwright {

namespace {

bool is_inside_character(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80;
}

// The line with the part that differs from `other` marked; unmarked where they have little in
// common.
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
  if ((before + behind) * 3 < line.size()) return html_text(line);
  return html_text(line.substr(0, before)) + "<b>" +
         html_text(line.substr(before, line.size() - before - behind)) + "</b>" +
         html_text(line.substr(line.size() - behind));
}

// "-12,3" in "@@ -12,3 +14 @@": where lines begin, and how many there are.
struct Lines {
  std::size_t first = 0, count = 1;
};
Lines lines_after(std::string_view header, char mark) {
  Lines lines;
  const std::size_t at = header.find(mark);
  if (at == std::string_view::npos) return lines;
  const char* const end = header.data() + header.size();
  const auto [behind, error] = std::from_chars(header.data() + at + 1, end, lines.first);
  if (error == std::errc() && behind != end && *behind == ',')
    std::from_chars(behind + 1, end, lines.count);
  return lines;
}

class SideBySide {
 public:
  SideBySide(std::size_t rows, bool has_names) : rows_left_(rows), has_names_(has_names) {}

  std::string of(std::string_view diff) {
    // The first row may span all columns: widths must not depend on it.
    out_ =
        "<table class=\"diff\"><colgroup><col class=\"no\"><col><col class=\"no\"><col>"
        "</colgroup>\n";
    while (!diff.empty()) {
      const std::size_t end = std::min(diff.find('\n'), diff.size());
      line(diff.substr(0, end));
      diff.remove_prefix(std::min(end + 1, diff.size()));
    }
    flush();
    out_ += "</table>\n";
    if (cut_ != 0) out_ += fmt::format("<p>{} more lines are not shown.</p>\n", cut_);
    return std::move(out_);
  }

 private:
  void line(std::string_view text) {
    if (text.starts_with("@@") && !is_in_hunk()) {
      flush();
      const Lines was = lines_after(text, '-'), now = lines_after(text, '+');
      old_ = was.first;
      new_ = now.first;
      old_left_ = was.count;
      new_left_ = now.count;
      row(fmt::format("<tr class=\"hunk\"><td colspan=\"4\">{}</td></tr>\n", html_text(text)));
    } else if (!is_in_hunk()) {
      header(text);
    } else if (text.starts_with('-') && old_left_ != 0) {
      removed_.push_back(text.substr(1));
      --old_left_;
    } else if (text.starts_with('+') && new_left_ != 0) {
      added_.push_back(text.substr(1));
      --new_left_;
    } else if (text.starts_with(' ')) {
      same(html_text(text.substr(1)));
    }
  }
  bool is_in_hunk() const { return old_left_ != 0 || new_left_ != 0; }

  void header(std::string_view text) {
    if (!has_names_ || !text.starts_with("+++ ")) return;
    flush();
    text.remove_prefix(4);
    if (text.starts_with("b/")) text.remove_prefix(2);
    row(fmt::format("<tr class=\"file\"><td colspan=\"4\">{}</td></tr>\n", html_text(text)));
  }
  void same(const std::string& html) {
    flush();
    row(
        fmt::format("<tr class=\"same\"><td class=\"no\">{}</td><td>{}</td><td class=\"no\">{}</td>"
                    "<td>{}</td></tr>\n",
                    old_++, html, new_++, html));
    if (old_left_ != 0) --old_left_;
    if (new_left_ != 0) --new_left_;
  }
  void flush() {
    constexpr std::string_view kNone = "<td class=\"no none\"></td><td class=\"none\"></td>";
    for (std::size_t i = 0; i < std::max(removed_.size(), added_.size()); ++i) {
      const bool has_old = i < removed_.size(), has_new = i < added_.size();
      const std::string_view was = has_old ? removed_[i] : std::string_view();
      const std::string_view now = has_new ? added_[i] : std::string_view();
      std::string cells(kNone);
      if (has_old)
        cells = fmt::format("<td class=\"no\">{}</td><td class=\"out\">{}</td>", old_++,
                            has_new ? marked(was, now) : html_text(was));
      cells += has_new ? fmt::format("<td class=\"no\">{}</td><td class=\"in\">{}</td>", new_++,
                                     has_old ? marked(now, was) : html_text(now))
                       : std::string(kNone);
      row("<tr>" + cells + "</tr>\n");
    }
    removed_.clear();
    added_.clear();
  }
  void row(const std::string& html) {
    if (rows_left_ == 0) {
      ++cut_;
      return;
    }
    --rows_left_;
    out_ += html;
  }

  std::string out_;
  std::size_t old_ = 0, new_ = 0, old_left_ = 0, new_left_ = 0;
  std::size_t rows_left_, cut_ = 0;
  bool has_names_;
  std::vector<std::string_view> removed_, added_;
};

}  // namespace

std::string html_diff(std::string_view diff, std::size_t rows, bool has_names) {
  return SideBySide(rows, has_names).of(diff);
}

}  // namespace hipwright
