// SPDX-License-Identifier: MIT
#include "lsp/text_lines.h"

#include <algorithm>

#include "base/error.h"

namespace hipwright::lsp {

namespace {

bool is_inside(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80;
}

// Units of the character that begins with this byte.
std::uint64_t width(char byte, PositionEncoding encoding) {
  return encoding == PositionEncoding::kUtf16 && static_cast<unsigned char>(byte) >= 0xF0 ? 2 : 1;
}

}  // namespace

const char* to_string(PositionEncoding encoding) {
  switch (encoding) {
    case PositionEncoding::kUtf8:
      return "utf-8";
    case PositionEncoding::kUtf16:
      return "utf-16";
    case PositionEncoding::kUtf32:
      return "utf-32";
  }
  bug("position encoding out of range", __FILE__, __LINE__);
}

std::size_t TextLines::offset(const Place& place) const {
  while (starts_.size() <= place.line && find_line()) {
  }
  if (place.line >= starts_.size()) return text_.size();
  const std::size_t begin = starts_[place.line];
  const std::size_t end = line_end(place.line);
  if (encoding_ == PositionEncoding::kUtf8) {
    std::size_t at = begin + std::min<std::uint64_t>(place.character, end - begin);
    while (at > begin && at < end && is_inside(text_[at])) --at;
    return at;
  }
  std::size_t at = begin;
  for (std::uint64_t left = place.character; at < end;) {
    const std::uint64_t needed = width(text_[at], encoding_);
    if (needed > left) break;
    left -= needed;
    for (++at; at < end && is_inside(text_[at]);) ++at;
  }
  return at;
}

Place TextLines::place(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const std::size_t line = line_of(offset);
  if (counted_.line != line || counted_offset_ > offset || counted_offset_ < starts_[line]) {
    counted_ = {line, 0};
    counted_offset_ = starts_[line];
  }
  counted_.character +=
      units(std::string_view(text_).substr(counted_offset_, offset - counted_offset_));
  counted_offset_ = offset;
  return counted_;
}

Span TextLines::line_around(std::size_t offset) const {
  const std::size_t line = line_of(std::min(offset, text_.size()));
  return {starts_[line], line_end(line)};
}

void TextLines::replace(Span span, std::string_view replacement) {
  // The line before may have ended with a "\r" that now is half of "\r\n".
  const std::size_t line = line_of(span.begin);
  starts_.resize(std::max<std::size_t>(line, 1));
  all_found_ = false;
  counted_ = {};
  counted_offset_ = 0;
  text_.replace(span.begin, span.size(), replacement);
}

std::size_t TextLines::line_of(std::size_t offset) const {
  while (starts_.back() <= offset && find_line()) {
  }
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return static_cast<std::size_t>(after - starts_.begin()) - 1;
}

std::size_t TextLines::line_end(std::size_t line) const {
  while (starts_.size() <= line + 1 && find_line()) {
  }
  if (line + 1 >= starts_.size()) return text_.size();
  std::size_t end = starts_[line + 1] - 1;
  if (text_[end] == '\n' && end > starts_[line] && text_[end - 1] == '\r') --end;
  return end;
}

// Adds the line after the last one that is known.
bool TextLines::find_line() const {
  if (all_found_) return false;
  for (std::size_t at = starts_.back(); at < text_.size(); ++at) {
    if (text_[at] != '\n' && text_[at] != '\r') continue;
    if (text_[at] == '\r' && at + 1 < text_.size() && text_[at + 1] == '\n') ++at;
    starts_.push_back(at + 1);
    return true;
  }
  all_found_ = true;
  return false;
}

std::uint64_t TextLines::units(std::string_view text) const {
  if (encoding_ == PositionEncoding::kUtf8) return text.size();
  std::uint64_t count = 0;
  const std::uint64_t pair = encoding_ == PositionEncoding::kUtf16 ? 1 : 0;
  for (const char byte : text) {
    count += is_inside(byte) ? 0 : 1;
    count += static_cast<unsigned char>(byte) >= 0xF0 ? pair : 0;
  }
  return count;
}

}  // namespace hipwright::lsp
