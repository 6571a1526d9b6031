// SPDX-License-Identifier: MIT
#include "port/output/path_text.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "port/output/output.h"

namespace hipwright::port {

namespace {

bool stays_inside(std::string_view path) {
  if (path.starts_with('/') || path.find('\0') != std::string_view::npos) return false;
  const std::filesystem::path parts(path);
  return std::none_of(parts.begin(), parts.end(), [](const std::filesystem::path& part) {
    return part == ".." || part == "." || part == ".git" || part == kOwnFolder;
  });
}

}  // namespace

std::string escaped_path(std::string_view path) {
  std::string out;
  for (const char byte : path) {
    const auto value = static_cast<unsigned char>(byte);
    if (value < 0x20 || value >= 0x7F || byte == '%')
      out += fmt::format("%{:02X}", value);
    else
      out += byte;
  }
  return out;
}

std::optional<std::string> unescaped_path(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned value = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (error != std::errc() || digits.size() != 2 || end != digits.data() + 2) return std::nullopt;
    out += static_cast<char>(value);
    i += 2;
  }
  if (!stays_inside(out)) return std::nullopt;
  return out;
}

}  // namespace hipwright::port
