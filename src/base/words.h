// SPDX-License-Identifier: MIT
// Tests of words and short lists of words; blanks and letter case.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <ranges>
#include <string>
#include <string_view>

namespace hipwright {

using Words = std::initializer_list<std::string_view>;

/** Whether `word` is one of `words`. */
inline bool is_any(std::string_view word, Words words) {
  return std::ranges::find(words, word) != words.end();
}

template <std::ranges::input_range List>
bool is_any(std::string_view word, const List& words) {
  return std::ranges::find(words, word) != std::ranges::end(words);
}

/** Whether `text` contains one of `words`. */
inline bool has_any(std::string_view text, Words words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/** In lower case (ASCII only). */
constexpr char lowered(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/** Whether `word` stands somewhere in `text`, ignoring case. */
inline bool contains_word(std::string_view text, std::string_view word) {
  return std::ranges::search(text, word, [](char a, char b) {
           return lowered(a) == lowered(b);
         }).begin() != text.end();
}

/** Blanks, line ends included. */
inline constexpr std::string_view kBlanks = " \t\r\n\v\f";

/** Without the blanks at both ends. */
inline std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/** In lower case (ASCII only). */
inline std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lowered(c);
  return out;
}

}  // namespace hipwright
