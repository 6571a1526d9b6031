// SPDX-License-Identifier: MIT
#include "lint/like/words.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "syntax/scan.h"

namespace hipwright::lint::like {

namespace {

std::size_t hash_of(std::string_view word) {
  std::uint64_t first = 0, last = 0;
  const std::size_t size = std::min<std::size_t>(word.size(), 8);
  std::memcpy(&first, word.data(), size);
  std::memcpy(&last, word.data() + word.size() - size, size);
  const std::uint64_t mixed = (first ^ word.size()) * 0x9E3779B97F4A7C15ULL + last;
  return static_cast<std::size_t>((mixed * 0xD6E8FEB86659FD93ULL) >> 32U);
}

// Calls `use` with every word; skips blanks and punctuators.
template <class Use>
void each_word(std::string_view text, const Use& use) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    if (!syntax::is_word_byte(*at)) {
      ++at;
      continue;
    }
    const char* const begin = at;
    at = syntax::word_end(at, end);
    use(std::string_view(begin, static_cast<std::size_t>(at - begin)));
  }
}

}  // namespace

void WordSet::add(std::string_view key) {
  each_word(key, [&](std::string_view word) { words_.emplace_back(word); });
}

void WordSet::freeze() {
  std::sort(words_.begin(), words_.end());
  words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
  slots_.assign(std::bit_ceil(words_.size() * 4 + 16), 0);
  for (std::uint32_t i = 0; i < words_.size(); ++i) {
    std::size_t slot = hash_of(words_[i]) & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = i + 1;
  }
}

std::uint32_t WordSet::find(std::string_view word) const {
  for (std::size_t slot = hash_of(word) & (slots_.size() - 1); slots_[slot] != 0;
       slot = (slot + 1) & (slots_.size() - 1))
    if (words_[slots_[slot] - 1] == word) return slots_[slot] - 1;
  return static_cast<std::uint32_t>(words_.size());
}

std::vector<std::uint64_t> WordSet::present(std::string_view text) const {
  // One more than the number of words, for words that are not looked for.
  std::vector<std::uint64_t> bits(words_.size() / 64 + 1);
  each_word(text, [&](std::string_view word) {
    const std::uint32_t number = find(word);
    bits[number / 64] |= std::uint64_t{1} << (number % 64);
  });
  return bits;
}

std::vector<std::uint32_t> WordSet::words_of(std::string_view key) const {
  std::vector<std::uint32_t> numbers;
  each_word(key, [&](std::string_view word) {
    if (const std::uint32_t number = find(word); number < words_.size()) numbers.push_back(number);
  });
  return numbers;
}

}  // namespace hipwright::lint::like
