// SPDX-License-Identifier: MIT
#include "base/line_text.h"

#include <algorithm>
#include <iterator>

#include "base/hash.h"

namespace hipwright {

namespace {

constexpr std::size_t kLongestExcerpt = 240;

std::uint32_t code_points(std::string_view text) {
  return static_cast<std::uint32_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80;
  }));
}

std::string without_blanks(std::string_view line) {
  std::string kept;
  std::copy_if(line.begin(), line.end(), std::back_inserter(kept),
               [](char byte) { return byte != ' ' && byte != '\t' && byte != '\r'; });
  return kept;
}

}  // namespace

LineExcerpt line_excerpt(std::string_view text, const LineIndex& lines, Position position) {
  const Span line = lines.line(position.line);
  const std::size_t column = std::min<std::size_t>(position.column - 1, line.size());
  const std::size_t skipped = column < kLongestExcerpt ? 0 : column - kLongestExcerpt / 2;
  const std::size_t size = std::min(line.size() - skipped, kLongestExcerpt);
  return {std::string(text.substr(line.begin + skipped, size)),
          static_cast<std::uint32_t>(skipped) + 1, size == line.size()};
}

Position CodePointPositions::of(std::size_t offset) {
  offset = std::min(offset, text_.size());
  Position at = lines_.position(offset);
  if (at.line != last_.line) {
    last_offset_ = offset - (at.column - 1);
    last_ = {at.line, 1};
  }
  if (offset >= last_offset_)
    at.column = last_.column + code_points(text_.substr(last_offset_, offset - last_offset_));
  else
    at.column = last_.column - code_points(text_.substr(offset, last_offset_ - offset));
  last_offset_ = offset;
  last_ = at;
  return at;
}

Position CodePointPositions::of(Position position) {
  if (position.line == 0 || position.line > lines_.line_count()) return {position.line, 1};
  const Span line = lines_.line(position.line);
  const std::size_t column = position.column == 0 ? 0 : position.column - 1;
  return of(line.begin + std::min(column, line.size()));
}

std::string Fingerprints::next(const std::string& code, std::string_view line_text) {
  const std::string line = without_blanks(line_text);
  const unsigned before = seen_[code + line]++;
  return Hasher().field(code).field(path_).field(line).field(std::to_string(before)).finish().hex();
}

}  // namespace hipwright
