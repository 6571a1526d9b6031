// SPDX-License-Identifier: MIT
#include "base/html.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/html_style.h"

namespace hipwright {

namespace {

// How many bytes the UTF-8 character at `at` has; 0: it is not one.
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

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
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

std::string_view class_of(Tone tone) {
  switch (tone) {
    case Tone::kPlain:
      return "";
    case Tone::kGood:
      return "good";
    case Tone::kBad:
      return "bad";
    case Tone::kOpen:
      return "open";
    case Tone::kSoft:
      return "soft";
  }
  bug("tone out of range", __FILE__, __LINE__);
}

std::string html_badge(std::string_view text, Tone tone) {
  return fmt::format("<span class=\"badge {}\">{}</span>", class_of(tone), html_text(text));
}

std::string html_code(std::string_view text) {
  return fmt::format("<code>{}</code>", html_text(text));
}

std::string html_message(std::string_view text) {
  std::string html;
  while (true) {
    const std::size_t begin = text.find('`');
    const std::size_t end = begin == text.npos ? text.npos : text.find('`', begin + 1);
    if (end == text.npos) return html + html_text(text);
    html += html_text(text.substr(0, begin)) + html_code(text.substr(begin + 1, end - begin - 1));
    text.remove_prefix(end + 1);
  }
}

std::string html_link(std::string_view id, std::string_view text) {
  return fmt::format("<a href=\"#{}\">{}</a>", html_text(id), html_text(text));
}

std::string html_cards(const std::vector<HtmlCard>& cards) {
  std::string out = "<ul class=\"cards\">\n";
  for (const HtmlCard& card : cards)
    out += fmt::format("<li><b class=\"{}\">{}</b> <span>{}</span></li>\n", class_of(card.tone),
                       html_text(card.number), html_text(card.what));
  return out + "</ul>\n";
}

std::string html_answers(const std::vector<HtmlAnswer>& answers) {
  std::string out = "<dl class=\"answers\">\n";
  for (const HtmlAnswer& answer : answers)
    out += fmt::format("<dt class=\"{}\">{}</dt><dd>{}</dd>\n", class_of(answer.tone),
                       html_text(answer.question), answer.html);
  return out + "</dl>\n";
}

HtmlTable::HtmlTable(std::vector<std::string> columns, std::string style)
    : columns_(std::move(columns)), style_(std::move(style)) {}

void HtmlTable::row(const std::vector<std::string>& cells_html, std::string_view style) {
  HW_ASSERT(cells_html.size() == columns_.size());
  rows_ += style.empty() ? "<tr>" : fmt::format("<tr class=\"{}\">", style);
  for (std::size_t i = 0; i < columns_.size(); ++i)
    rows_ += fmt::format("<td{}>{}</td>", columns_[i].starts_with('>') ? " class=\"n\"" : "",
                         cells_html[i]);
  rows_ += "</tr>\n";
}

std::string HtmlTable::html() const {
  std::string out =
      fmt::format("<div class=\"scroll\"><table class=\"rows {}\"><thead><tr>", style_);
  for (const std::string& column : columns_) {
    const bool has_numbers = column.starts_with('>');
    out += fmt::format("<th scope=\"col\"{}>{}</th>", has_numbers ? " class=\"n\"" : "",
                       html_text(std::string_view(column).substr(has_numbers ? 1 : 0)));
  }
  return out + "</tr></thead><tbody>\n" + rows_ + "</tbody></table></div>\n";
}

std::string html_details(const HtmlDetails& details) {
  std::string attributes;
  if (!details.id.empty()) attributes += fmt::format(" id=\"{}\"", html_text(details.id));
  if (!details.name.empty())
    attributes += fmt::format(" data-name=\"{}\"", html_text(details.name));
  if (details.is_open) attributes += " open";
  return fmt::format("<details{}><summary>{}</summary><div>\n{}</div></details>\n", attributes,
                     details.summary_html, details.body_html);
}

std::string html_filter(std::string_view id, std::string_view label) {
  return fmt::format(
      "<p><input class=\"filter\" type=\"search\" data-for=\"{0}\" placeholder=\"{1}\" "
      "aria-label=\"{1}\"></p>\n",
      html_text(id), html_text(label));
}

std::string html_page(const HtmlPage& page) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>{1}{2}</style></head>\n<body>\n"
      "<header><h1>{0}</h1></header>\n<nav aria-label=\"Sections\">",
      html_text(page.title), kHtmlStyle, page.style);
  for (const HtmlSection& section : page.sections) out += html_link(section.id, section.title);
  out += "</nav>\n<main>\n" + page.lead_html;
  for (const HtmlSection& section : page.sections)
    out += fmt::format("<section id=\"{}\"><h2>{}</h2>\n{}</section>\n", html_text(section.id),
                       html_text(section.title), section.html);
  return out +
         fmt::format(
             "</main>\n<footer>hipwright {}. This file is complete: it loads nothing.</footer>"
             "\n<script>{}</script>\n</body></html>\n",
             HIPWRIGHT_VERSION, kHtmlScript);
}

std::string data_url(std::string_view type, std::string_view bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out = fmt::format("data:{};base64,", type);
  out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t left = std::min<std::size_t>(bytes.size() - at, 3);
    unsigned word = 0;
    for (std::size_t i = 0; i < 3; ++i)
      word = (word << 8) | (i < left ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      out += i <= left ? kDigits[(word >> (18 - 6 * i)) & 63U] : '=';
  }
  return out;
}

}  // namespace hipwright
