// SPDX-License-Identifier: MIT
// Places in text: byte spans, and the lines and columns people read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hipwright {

// Half-open byte range [begin, end) of a text.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t size() const { return end - begin; }
  bool contains(std::size_t offset) const { return begin <= offset && offset < end; }
  friend bool operator==(const Span&, const Span&) = default;
};

// Line and column, both counted from 1; the column counts bytes.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  friend bool operator==(const Position&, const Position&) = default;
};

// Line starts of one text, for converting offsets to positions in O(log lines).
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);

  // Offsets past the end give the position just after the last byte.
  Position position(std::size_t offset) const;
  // The bytes of a line (from 1), without its line break; empty for a line that does not exist.
  Span line(std::uint32_t number) const;
  std::uint32_t line_count() const { return static_cast<std::uint32_t>(starts_.size()); }

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

}  // namespace hipwright
