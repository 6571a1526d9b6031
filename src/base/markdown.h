// SPDX-License-Identifier: MIT
// Markdown as part of an HTML page.
#pragma once

#include <string>
#include <string_view>

namespace hipwright {

// CommonMark with tables. HTML in it is shown as text, and of a link only the text remains: a page
// that is read alone has nowhere to go. "#" becomes h3, because h2 is a section of the page.
std::string html_of_markdown(std::string_view markdown);

// One paragraph without its <p>: titles, messages.
std::string html_of_markdown_line(std::string_view markdown);

}  // namespace hipwright
