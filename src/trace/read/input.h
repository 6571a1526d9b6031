// SPDX-License-Identifier: MIT
// The bytes of a file in order, unpacked if it is packed with gzip.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "base/error.h"

namespace hipwright::trace {

class Input {
 public:
  virtual ~Input() = default;
  // Fills a part of `room`; 0 at the end. An error names the file and the place.
  virtual Result<std::size_t> read(std::span<char> room) = 0;
};

Result<std::unique_ptr<Input>> open_input(const std::filesystem::path& path);
// Of a text in memory, which must live as long.
std::unique_ptr<Input> text_input(std::string_view text);

}  // namespace hipwright::trace
