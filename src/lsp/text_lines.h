// SPDX-License-Identifier: MIT
// Positions as the protocol counts them: lines from 0, ended by "\n", "\r\n" or "\r", and columns
// in code units of an encoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace hipwright::lsp {

enum class PositionEncoding { kUtf8, kUtf16, kUtf32 };
const char* to_string(PositionEncoding encoding);

struct Place {
  std::uint64_t line = 0;
  std::uint64_t character = 0;
  friend bool operator==(const Place&, const Place&) = default;
};
struct Range {
  Place start, end;
  friend bool operator==(const Range&, const Range&) = default;
};

// A text that is edited in place. Line starts are found lazily, and an edit invalidates only those
// after it: editors send the edits of a "replace all" from the end.
class TextLines {
 public:
  explicit TextLines(std::string text, PositionEncoding encoding = PositionEncoding::kUtf16)
      : text_(std::move(text)), encoding_(encoding) {}

  const std::string& text() const { return text_; }

  // A line or column that does not exist gives the nearest one before it.
  std::size_t offset(const Place& place) const;
  Span span(const Range& range) const { return {offset(range.start), offset(range.end)}; }
  // Fast when asked in text order.
  Place place(std::size_t offset) const;
  Range range(Span span) const { return {place(span.begin), place(span.end)}; }
  // The line of an offset, without its line break.
  Span line_around(std::size_t offset) const;

  void replace(Span span, std::string_view replacement);

 private:
  std::size_t line_of(std::size_t offset) const;
  std::size_t line_end(std::size_t line) const;
  bool find_line() const;
  std::uint64_t units(std::string_view text) const;

  std::string text_;
  PositionEncoding encoding_;
  // Line starts found so far.
  mutable std::vector<std::size_t> starts_ = {0};
  mutable bool all_found_ = false;
  mutable std::size_t counted_offset_ = 0;  // of the last query
  mutable Place counted_;
};

}  // namespace hipwright::lsp
