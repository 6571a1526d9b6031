// SPDX-License-Identifier: MIT
#include "base/source.h"

#include <algorithm>
#include <cstring>

namespace hipwright {

LineIndex::LineIndex(std::string_view text) : text_(text), starts_{0} {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  for (const char* at = begin; at < end;) {
    const auto* newline =
        static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    if (newline == nullptr) break;
    at = newline + 1;
    if (at < end) starts_.push_back(static_cast<std::size_t>(at - begin));
  }
}

Position LineIndex::position(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto start = after - 1;
  return {static_cast<std::uint32_t>(after - starts_.begin()),
          static_cast<std::uint32_t>(offset - *start + 1)};
}

Span LineIndex::line(std::uint32_t number) const {
  if (number == 0 || number > line_count()) return {};
  const std::size_t begin = starts_[number - 1];
  std::size_t end = number == line_count() ? text_.size() : starts_[number];
  if (end > begin && text_[end - 1] == '\n') --end;
  if (end > begin && text_[end - 1] == '\r') --end;
  return {begin, end};
}

}  // namespace hipwright
