// SPDX-License-Identifier: MIT
// Reports as one HTML file: readable by day and night, on a phone and on paper, with no request to
// anywhere.
#pragma once

#include <string>
#include <string_view>

namespace hipwright {

// As text of HTML, also within quotes. Bytes that are not UTF-8 become U+FFFD.
std::string html_text(std::string_view text);

// A whole page. `style` is added to what all reports share.
std::string html_page(std::string_view title, std::string_view style, std::string_view body);

// "data:image/png;base64,…".
std::string data_url(std::string_view type, std::string_view bytes);

}  // namespace hipwright
