// SPDX-License-Identifier: MIT
#include <algorithm>

#include "syntax/python/state.h"

namespace hipwright::syntax::python {

namespace {

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { out += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6);
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | (code >> 18 & 7));
    byte(0x80 | (code >> 12 & 0x3F));
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

// Reads up to `most` digits; how many were read.
std::size_t read_digits(std::string_view text, int base, std::size_t most, std::uint32_t& value) {
  std::size_t count = 0;
  value = 0;
  while (count < most && count < text.size() && digit_of(text[count]) < base)
    value = value * static_cast<std::uint32_t>(base) +
            static_cast<std::uint32_t>(digit_of(text[count++]));
  return count;
}

// The number of bytes of an escape sequence; appends its value. Sequences that Python keeps or
// rejects are kept.
std::size_t append_escape(std::string& out, std::string_view text, bool is_bytes) {
  static constexpr std::string_view kLetters = "abfnrtv\\'\"";
  static constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"";
  const char next = text.size() > 1 ? text[1] : '\0';
  if (next == '\n') return 2;
  if (next == '\r') return text.size() > 2 && text[2] == '\n' ? 3 : 2;
  if (const std::size_t letter = kLetters.find(next); next != '\0' && letter != kLetters.npos) {
    out += kMeanings[letter];
    return 2;
  }
  std::uint32_t code = 0;
  if (next >= '0' && next <= '7') {
    const std::size_t count = read_digits(text.substr(1), 8, 3, code);
    if (is_bytes) {
      out += static_cast<char>(code);
    } else {
      append_utf8(out, code);
    }
    return 1 + count;
  }
  const std::size_t digits = next == 'x' ? 2 : is_bytes ? 0 : next == 'u' ? 4 : next == 'U' ? 8 : 0;
  if (digits != 0 && read_digits(text.substr(2), 16, digits, code) == digits) {
    if (is_bytes) {
      out += static_cast<char>(code);
    } else {
      append_utf8(out, code);
    }
    return 2 + digits;
  }
  out += '\\';
  return 1;
}

}  // namespace

std::string File::string_value(TokenIndex token) const {
  if (tokens()[token].kind != Kind::kString) return {};
  std::string_view body = text(token);
  const std::size_t quotes = body.find_first_of("'\"");
  const std::string_view prefix = body.substr(0, quotes);
  const bool is_raw = prefix.find_first_of("rR") != prefix.npos;
  const bool is_bytes = prefix.find_first_of("bB") != prefix.npos;
  const std::string_view triple(body.data() + quotes,
                                std::min<std::size_t>(3, body.size() - quotes));
  const std::size_t width = triple == "\"\"\"" || triple == "'''" ? 3 : 1;
  body.remove_prefix(quotes + width);
  if ((tokens()[token].flags & kUnterminated) == 0) body.remove_suffix(width);

  std::string value;
  value.reserve(body.size());
  for (std::size_t at = 0; at < body.size();) {
    const char c = body[at];
    if (c == '\\' && !is_raw) {
      at += append_escape(value, body.substr(at), is_bytes);
    } else if (c == '\r') {
      value += '\n';
      at += at + 1 < body.size() && body[at + 1] == '\n' ? 2 : 1;
    } else {
      value += c;
      ++at;
    }
  }
  return value;
}

}  // namespace hipwright::syntax::python
