// SPDX-License-Identifier: MIT
#include "lint/like/search.h"

namespace hipwright::lint::like {

namespace {

constexpr std::size_t kMostDifferences = 8, kLongest = 60;

std::string cut(std::string text) {
  if (text.size() <= kLongest) return text;
  std::size_t end = kLongest - 3;
  // Not inside a character.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
  return text.substr(0, end) + "...";
}

}  // namespace

std::vector<Difference> differences(const Shape& shape, const Numbered& file,
                                    const Alignment& place) {
  std::vector<Difference> found;
  const auto add = [&](Difference next) {
    const auto same = [&](const Difference& other) {
      return other.in_shape == next.in_shape && other.here == next.here;
    };
    if (next.in_shape.empty() && next.here.empty()) return;
    if (found.size() < kMostDifferences &&
        std::find_if(found.begin(), found.end(), same) == found.end())
      found.push_back({cut(std::move(next.in_shape)), cut(std::move(next.here))});
  };
  std::uint32_t next = place.range.begin;  // the first token that is not spoken of yet
  std::vector<Element> missing;
  Difference open;
  const auto flush = [&](std::uint32_t until) {
    // Pairs tokens found only here with tokens found only in the shape.
    std::string more = joined(file.stream, {next, until});
    if (!more.empty()) open.here += (open.here.empty() ? "" : " ") + more;
    if (!missing.empty()) open.in_shape += (open.in_shape.empty() ? "" : " ") + plain_text(missing);
    missing.clear();
    add(std::move(open));
    open = {};
  };
  for (std::size_t i = 0; i < shape.before.size(); ++i) {
    const Element& element = shape.before[i];
    const std::uint32_t at = place.partners[i];
    if (at == kNone) {
      missing.push_back(element);
      continue;
    }
    const bool is_same = element.kind == Kind::kBreak || file.words[at] == element.word;
    if (is_same) {
      flush(at);
    } else {
      if (at > next || !missing.empty()) flush(at);
      open = {element.text, std::string(file.stream.of(at))};
    }
    next = at + 1;
  }
  flush(next);
  return found;
}

}  // namespace hipwright::lint::like
