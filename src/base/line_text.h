// SPDX-License-Identifier: MIT
// What reports quote of a text: the line around a place, columns as readers count them, and a name
// for the place that survives edits elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/source.h"

namespace hipwright {

// The line that a place is in, without its break; of a long line the part around the column.
struct LineExcerpt {
  std::string text;
  std::uint32_t column = 1;  // of the first byte of `text`, in bytes
  bool is_whole = true;
};
LineExcerpt line_excerpt(std::string_view text, const LineIndex& lines, Position position);

// Positions whose columns count code points. Fast when asked in text order: a line of megabytes is
// counted once.
class CodePointPositions {
 public:
  CodePointPositions(std::string_view text, const LineIndex& lines) : text_(text), lines_(lines) {}

  Position of(std::size_t offset);
  // `position` counts bytes; beyond the end of its line it is the end.
  Position of(Position position);

 private:
  std::string_view text_;
  const LineIndex& lines_;
  std::size_t last_offset_ = 0;
  Position last_;
};

// Names findings so that a name stays the same when lines around it move: a digest of code, path,
// the text of the line without blanks, and how often these occurred before in the file.
class Fingerprints {
 public:
  explicit Fingerprints(std::string_view path) : path_(path) {}
  std::string next(const std::string& code, std::string_view line_text);

 private:
  std::string path_;
  std::map<std::string, unsigned> seen_;
};

}  // namespace hipwright
