// SPDX-License-Identifier: MIT
#include "base/html.h"

#include <algorithm>

#include <fmt/format.h>

namespace hipwright {

namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --line: #8884; --faint: #8882; --pass: #2a8a3e; --fail: #d22; --open: #b70; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 75rem; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; } td, th { padding: .2rem .7rem .2rem 0; text-align: left; vertical-align: top; }
tr { border-bottom: 1px solid var(--line); } .n { text-align: right; font-variant-numeric: tabular-nums; }
code, pre { font: 13px/1.4 ui-monospace, monospace; } pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: 0 .7rem; }
summary { cursor: pointer; padding: .35rem 0; } .scroll { overflow-x: auto; }
.pass { color: var(--pass); } .fail { color: var(--fail); } .open { color: var(--open); }
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

std::string html_page(std::string_view title, std::string_view style, std::string_view body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<title>{0}</title><style>{1}{2}</style></head>\n<body>\n{3}</body></html>\n",
      html_text(title), kStyle, style, body);
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
