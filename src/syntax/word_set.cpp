// SPDX-License-Identifier: MIT
#include "syntax/word_set.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace hipwright::syntax {

namespace {

std::uint16_t pair_at(const char* text) {
  std::uint16_t pair = 0;
  std::memcpy(&pair, text, sizeof pair);
  return pair;
}

// By the frequency of letters in English; digits and capitals are rare.
std::size_t rarity(char byte) {
  constexpr std::string_view kByFrequency = " etaoinsr_hldcumfpgwybvkxjqz";
  return std::min(kByFrequency.find(byte), kByFrequency.size());
}

// Where the rarest two bytes of the word begin, at an even or an odd offset.
std::uint8_t rarest_pair(std::string_view word, std::size_t first) {
  std::size_t best = first, most = 0;
  for (std::size_t offset = first; offset + 1 < word.size() && offset < 32; offset += 2) {
    const std::size_t found = rarity(word[offset]) + rarity(word[offset + 1]);
    if (found > most) best = offset, most = found;
  }
  return static_cast<std::uint8_t>(best);
}

}  // namespace

// A search at every other byte meets two bytes of a word at an even offset or two at an odd one.
WordSet::WordSet(std::vector<std::string_view> words) : words_(std::move(words)) {
  std::ranges::sort(words_);
  words_.erase(std::ranges::unique(words_).begin(), words_.end());
  HW_ASSERT(words_.size() <= kMost);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    HW_ASSERT(words_[i].size() >= 3);
    for (std::size_t first = 0; first < 2; ++first) {
      const std::uint8_t offset = rarest_pair(words_[i], first);
      const std::uint16_t pair = pair_at(words_[i].data() + offset);
      starts_.push_back({pair, offset, static_cast<std::uint8_t>(i)});
      pairs_.set(pair);
    }
  }
  std::ranges::sort(starts_, {}, &Start::pair);
}

WordSet::Bits WordSet::bits_of(std::span<const std::string_view> words) const {
  Bits bits;
  for (const std::string_view word : words) {
    const auto found = std::ranges::lower_bound(words_, word);
    HW_ASSERT(found != words_.end() && *found == word);
    bits.set(static_cast<std::size_t>(found - words_.begin()));
  }
  return bits;
}

WordSet::Bits WordSet::found_in(std::string_view text) const {
  Bits found;
  for (std::size_t at = 0; at + 1 < text.size(); at += 2) {
    const std::uint16_t pair = pair_at(text.data() + at);
    if (pairs_[pair]) look(text, at, pair, found);
  }
  return found;
}

void WordSet::look(std::string_view text, std::size_t at, std::uint16_t pair, Bits& found) const {
  for (auto start = std::ranges::lower_bound(starts_, pair, {}, &Start::pair);
       start != starts_.end() && start->pair == pair; ++start) {
    if (found[start->word] || at < start->offset) continue;
    const std::string_view word = words_[start->word];
    if (text.substr(at - start->offset, word.size()) == word) found.set(start->word);
  }
}

}  // namespace hipwright::syntax
