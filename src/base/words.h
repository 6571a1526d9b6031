// SPDX-License-Identifier: MIT
// Questions about a word and a short list of words.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace hipwright {

using Words = std::initializer_list<std::string_view>;

/** Whether `word` is one of `words`. */
inline bool is_any(std::string_view word, Words words) {
  return std::ranges::find(words, word) != words.end();
}

/** Whether one of `words` stands somewhere in `text`. */
inline bool has_any(std::string_view text, Words words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

}  // namespace hipwright
