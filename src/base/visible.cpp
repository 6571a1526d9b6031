// SPDX-License-Identifier: MIT
#include "base/visible.h"

#include <algorithm>

#include <fmt/format.h>

namespace hipwright {

namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

// The length of a colour as paint() writes it, at the beginning of `text`; 0 without one.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = std::min(text.find_first_not_of("0123456789;", 2), text.size());
  return end < text.size() && end - 2 <= 4 && text[end] == 'm' ? end + 1 : 0;
}

// C1 control characters in UTF-8: terminals take U+009B for ESC [.
bool is_c1(std::string_view text) {
  return text.size() >= 2 && text[0] == '\xC2' && static_cast<unsigned char>(text[1]) < 0xA0 &&
         static_cast<unsigned char>(text[1]) >= 0x80;
}

}  // namespace

std::string visible(std::string_view text, bool keeps_colour) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const char c = text[0];
    std::size_t taken = 1;
    if (const std::size_t colour = keeps_colour ? colour_length(text) : 0; colour != 0) {
      taken = colour;
      out += text.substr(0, taken);
    } else if (text.starts_with("\r\n")) {
      taken = 2;
      out += text.substr(0, taken);
    } else if (is_c1(text)) {
      taken = 2;
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[1]));
    } else if (is_control(c) && c != '\n' && c != '\t') {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
    text.remove_prefix(taken);
  }
  return out;
}

std::string markdown_text(std::string_view text, std::string_view line_break) {
  std::string out;
  for (const char c : visible(text)) {
    if (c == '\n') {
      out += line_break;
    } else if (c == '\r') {
      continue;
    } else if (c == '&' || c == '<') {
      out += c == '&' ? "&amp;" : "&lt;";
    } else if (c == '@') {
      out += "@<!-- -->";  // a backslash does not keep GitHub from notifying people
    } else {
      if (std::string_view("\\`*_[]|~").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string patch_name(std::string_view path) {
  const bool is_plain = std::none_of(path.begin(), path.end(),
                                     [](char c) { return is_control(c) || c == '"' || c == '\\'; });
  if (is_plain) return std::string(path);
  constexpr std::string_view kNamed = "\a\b\t\n\v\f\r", kLetters = "abtnvfr";
  std::string out = "\"";
  for (const char c : path) {
    if (const std::size_t at = kNamed.find(c); at != std::string_view::npos)
      out += {'\\', kLetters[at]};
    else if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (is_control(c))
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + '"';
}

}  // namespace hipwright
