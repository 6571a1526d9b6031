// SPDX-License-Identifier: MIT
// Files compiled into the binary (cmake/HipwrightEmbed.cmake): the tool works as one file.
#pragma once

#include <string_view>

namespace hipwright {

struct EmbeddedFile {
  const char* path;
  const char* begin;
  const char* end;

  std::string_view content() const { return {begin, static_cast<std::size_t>(end - begin)}; }
};

}  // namespace hipwright
