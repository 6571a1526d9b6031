// SPDX-License-Identifier: MIT
#include "syntax/text.h"

#include <cstdint>
#include <cstring>

namespace hipwright::syntax {

namespace {

constexpr std::string_view kMarkUtf8 = "\xEF\xBB\xBF";
constexpr std::string_view kMarkUtf16Le = "\xFF\xFE";
constexpr std::string_view kMarkUtf16Be = "\xFE\xFF";
constexpr std::uint32_t kReplacement = 0xFFFD;

// One code point of UTF-8 and its length; length 0: not UTF-8. A surrogate counts as a code point
// where `with_surrogates`: that is how a lone one of UTF-16 is kept.
struct CodePoint {
  std::uint32_t value = 0;
  std::size_t length = 0;
};

CodePoint code_point(std::string_view text, bool with_surrogates) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return {};
  std::uint32_t value = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kSmallest[length] || value > 0x10FFFF) return {};
  if (!with_surrogates && value >= 0xD800 && value < 0xE000) return {};
  return {value, length};
}

bool is_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::uint64_t eight = 0;
    if (text.size() - at >= sizeof(eight)) {
      std::memcpy(&eight, text.data() + at, sizeof(eight));
      if ((eight & 0x8080808080808080ULL) == 0) {
        at += sizeof(eight);
        continue;
      }
    }
    const std::size_t length = code_point(text.substr(at), false).length;
    if (length == 0) return false;
    at += length;
  }
  return true;
}

void append_utf8(std::string& to, std::uint32_t value) {
  const auto put = [&](std::uint32_t byte) { to.push_back(static_cast<char>(byte)); };
  if (value < 0x80) return put(value);
  if (value < 0x800) {
    put(0xC0 | value >> 6);
  } else {
    if (value < 0x10000) {
      put(0xE0 | value >> 12);
    } else {
      put(0xF0 | value >> 18);
      put(0x80 | (value >> 12 & 0x3F));
    }
    put(0x80 | (value >> 6 & 0x3F));
  }
  put(0x80 | (value & 0x3F));
}

std::string from_utf16(std::string_view bytes, bool big_endian) {
  const auto unit = [&](std::size_t at) -> std::uint32_t {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = static_cast<unsigned char>(bytes[at + 1]);
    return big_endian ? first << 8 | second : second << 8 | first;
  };
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
    std::uint32_t value = unit(at);
    if (value >= 0xD800 && value < 0xDC00 && at + 3 < bytes.size()) {
      const std::uint32_t low = unit(at + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
        at += 2;
      }
    }
    append_utf8(text, value);
  }
  return text;
}

std::string to_utf16(std::string_view text, bool big_endian) {
  std::string bytes(big_endian ? kMarkUtf16Be : kMarkUtf16Le);
  bytes.reserve(2 + text.size() * 2);
  const auto put = [&](std::uint32_t unit) {
    bytes.push_back(static_cast<char>(big_endian ? unit >> 8 : unit & 0xFF));
    bytes.push_back(static_cast<char>(big_endian ? unit & 0xFF : unit >> 8));
  };
  for (std::size_t at = 0; at < text.size();) {
    CodePoint next = code_point(text.substr(at), true);
    if (next.length == 0) next = {kReplacement, 1};
    at += next.length;
    if (next.value < 0x10000) {
      put(next.value);
    } else {
      put(0xD800 + ((next.value - 0x10000) >> 10));
      put(0xDC00 + ((next.value - 0x10000) & 0x3FF));
    }
  }
  return bytes;
}

}  // namespace

Text decode(std::string bytes) {
  Text text;
  const std::string_view all = bytes;
  const bool little = all.starts_with(kMarkUtf16Le);
  if ((little || all.starts_with(kMarkUtf16Be)) && all.size() % 2 == 0) {
    text.encoding = little ? Encoding::kUtf16Le : Encoding::kUtf16Be;
    text.bytes = from_utf16(all.substr(2), !little);
  } else if (all.starts_with(kMarkUtf8)) {
    text.encoding = Encoding::kUtf8Bom;
    bytes.erase(0, kMarkUtf8.size());
    text.bytes = std::move(bytes);
  } else {
    text.encoding = is_utf8(all) ? Encoding::kUtf8 : Encoding::kBytes;
    text.bytes = std::move(bytes);
  }
  text.is_binary = text.bytes.find('\0') != std::string::npos;
  return text;
}

std::string encode(std::string_view content, Encoding encoding) {
  switch (encoding) {
    case Encoding::kUtf16Le:
    case Encoding::kUtf16Be:
      return to_utf16(content, encoding == Encoding::kUtf16Be);
    case Encoding::kUtf8Bom:
      return std::string(kMarkUtf8).append(content);
    case Encoding::kUtf8:
    case Encoding::kBytes:
      break;
  }
  return std::string(content);
}

}  // namespace hipwright::syntax
