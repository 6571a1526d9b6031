// SPDX-License-Identifier: MIT
// Which of some words a text contains, found in one pass over the text.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hipwright::syntax {

class WordSet {
 public:
  static constexpr std::size_t kMost = 64;
  using Bits = std::bitset<kMost>;

  // At most kMost words of three bytes or more, which must outlive it; duplicates count once.
  explicit WordSet(std::vector<std::string_view> words);

  Bits bits_of(std::span<const std::string_view> words) const;  // of words of the set
  Bits found_in(std::string_view text) const;

 private:
  struct Start {
    std::uint16_t pair = 0;  // two bytes of the word, from `offset` on
    std::uint8_t offset = 0;
    std::uint8_t word = 0;
  };
  void look(std::string_view text, std::size_t at, std::uint16_t pair, Bits& found) const;

  std::vector<std::string_view> words_;  // sorted
  std::vector<Start> starts_;            // sorted by pair
  std::bitset<1U << 16U> pairs_;         // of starts_
};

}  // namespace hipwright::syntax
