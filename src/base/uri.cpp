// SPDX-License-Identifier: MIT
#include "base/uri.h"

#include <fmt/format.h>

namespace hipwright {

std::string uri_of(std::string_view path) {
  std::string uri;
  for (const char byte : path) {
    const bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                          (byte >= '0' && byte <= '9') ||
                          std::string_view("/._-~+@,").find(byte) != std::string_view::npos;
    if (is_plain)
      uri += byte;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
  }
  return uri;
}

}  // namespace hipwright
