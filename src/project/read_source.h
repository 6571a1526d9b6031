// SPDX-License-Identifier: MIT
// Reads source files into reusable buffers.
#pragma once

#include <filesystem>
#include <string>

#include "syntax/text.h"

namespace hipwright::project {

struct ReadText {
  syntax::Text text;
  std::string why_not;    // the reason if it was not read ("binary", "Permission denied")
  bool is_error = false;  // it should have been read; a binary file is no source
};

// Larger files are not sources.
constexpr std::size_t kLargestFile = std::size_t{256} << 20;

// `buffer` gives its memory to the text: move the text's bytes back into it when done.
ReadText read_source(const std::filesystem::path& path, std::string buffer);

}  // namespace hipwright::project
