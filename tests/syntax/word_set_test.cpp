// SPDX-License-Identifier: MIT
#include "syntax/word_set.h"

#include <string>

#include <gtest/gtest.h>

#include "syntax/scan.h"

namespace hipwright::syntax {
namespace {

// Words that begin alike, that are parts of others, and of the shortest length.
const std::vector<std::string_view> kWords = {"448", "aba",    "bab",    "capability",
                                              "gfx", "gfx942", "ability"};

TEST(WordSet, FindsWordsAtEveryPosition) {
  const WordSet set(kWords);
  for (const std::string_view word : kWords)
    for (std::size_t before = 0; before < 5; ++before)
      for (std::size_t after = 0; after < 3; ++after) {
        const std::string text =
            std::string(before, '-') + std::string(word) + std::string(after, '-');
        const WordSet::Bits found = set.found_in(text);
        for (const std::string_view each : kWords)
          EXPECT_EQ((found & set.bits_of({&each, 1})).any(), has_bytes(text, each))
              << each << " in " << text;
      }
}

TEST(WordSet, DoesNotFindPartsOfWords) {
  const WordSet set(kWords);
  for (const std::string_view text : {"", "g", "gf", "44", "4 48", "capabil", "fx", "ab", "abba"})
    EXPECT_TRUE(set.found_in(text).none()) << text;
}

}  // namespace
}  // namespace hipwright::syntax
