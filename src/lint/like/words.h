// SPDX-License-Identifier: MIT
// Counts the files that contain a word: one pass over every byte of a tree, comments and strings
// included.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hipwright::lint::like {

class WordSet {
 public:
  // Adds all words of a key ("1.5" has two). Call it before any look-up.
  void add(std::string_view key);
  void freeze();

  std::size_t size() const { return words_.size(); }
  // The words that occur in the text, one bit for each.
  std::vector<std::uint64_t> present(std::string_view text) const;
  // The numbers of a key's words; words that were not added are omitted.
  std::vector<std::uint32_t> words_of(std::string_view key) const;

 private:
  std::uint32_t find(std::string_view word) const;  // its number, or the number of words

  std::vector<std::string> words_;
  std::vector<std::uint32_t> slots_;  // number + 1; a power of two of them, a quarter full at most
};

}  // namespace hipwright::lint::like
