// SPDX-License-Identifier: MIT
// Questions about a word and a short list of words.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
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

/** In small letters, as far as ASCII has them. */
inline std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace hipwright
