// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace hipwright::port {

// "../../" for "a/b/c.cu": from the folder of a file to the root of its tree.
inline std::string way_to_root(std::string_view path) {
  std::string up;
  for (const char c : path)
    if (c == '/') up += "../";
  return up;
}

// The one that the text uses.
inline std::string_view line_break_of(std::string_view text) {
  const std::size_t at = text.find('\n');
  return at != std::string_view::npos && at > 0 && text[at - 1] == '\r' ? "\r\n" : "\n";
}

}  // namespace hipwright::port
