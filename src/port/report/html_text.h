// SPDX-License-Identifier: MIT
// Pieces of the HTML report that know nothing of ports: text, Markdown, two texts side by side.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/html.h"

namespace hipwright::port {

inline std::string html(std::string_view text) {
  return html_text(text);
}

// One line of Markdown: `code` and links, of which the text stays.
std::string html_of_line(std::string_view text);
// What the pages of our codes use: headings, paragraphs, lists, tables, code. Links become text.
std::string html_of_markdown(std::string_view page);

// A unified diff as a table: what was on the left, what is on the right, changed parts of lines
// marked. At most `rows` rows: nobody reads more, and browsers have to lay them out.
std::string html_of_diff(std::string_view diff, std::size_t rows);

extern const std::string_view kReportStyle;
extern const std::string_view kReportScript;

}  // namespace hipwright::port
