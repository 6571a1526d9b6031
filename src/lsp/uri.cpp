// SPDX-License-Identifier: MIT
#include "lsp/uri.h"

#include <charconv>

namespace hipwright::lsp {

namespace {

constexpr std::string_view kScheme = "file://";

bool is_plain(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || std::string_view("-._~/").find(byte) != std::string::npos;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      plain += text[at];
      continue;
    }
    const std::string_view digits = text.substr(at + 1, 2);
    unsigned value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    // A zero byte would end the name for the system and not for us.
    if (error != std::errc{} || end != digits.data() + 2 || value == 0) return std::nullopt;
    plain += static_cast<char>(value);
    at += 2;
  }
  return plain;
}

}  // namespace

std::optional<std::filesystem::path> path_of(std::string_view uri) {
  if (!uri.starts_with(kScheme)) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  uri = uri.substr(0, uri.find_first_of("?#"));
  if (uri.starts_with("localhost/")) uri.remove_prefix(std::string_view("localhost").size());
  if (!uri.starts_with('/')) return std::nullopt;
  const auto plain = decoded(uri);
  if (!plain || plain->find('\0') != std::string::npos) return std::nullopt;
  return std::filesystem::path(*plain).lexically_normal();
}

std::string uri_of(const std::filesystem::path& path) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string uri(kScheme);
  for (const char byte : path.generic_string()) {
    const auto value = static_cast<unsigned char>(byte);
    if (is_plain(byte))
      uri += byte;
    else
      uri.append({'%', kDigits[value >> 4], kDigits[value & 15]});
  }
  return uri;
}

}  // namespace hipwright::lsp
