// SPDX-License-Identifier: MIT
// A file's bytes as text: UTF-8 unchanged, UTF-16 converted, anything else kept byte for byte.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace hipwright::syntax {

enum class Encoding { kUtf8, kUtf8Bom, kUtf16Le, kUtf16Be, kBytes };

struct Text {
  std::string bytes;  // without a byte order mark
  Encoding encoding = Encoding::kUtf8;
  bool is_binary = false;  // has zero bytes
};

Text decode(std::string bytes);
// Encodes new content in the encoding of the file that `text` came from, for fixes.
std::string encode(std::string_view content, Encoding encoding);

}  // namespace hipwright::syntax
