// SPDX-License-Identifier: MIT
#include "syntax/scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace hipwright::syntax {

namespace {

// Every byte as the end of a run of every length, with and without text behind it.
TEST(Scan, StopsAtTheFirstOtherByte) {
  for (std::size_t length = 0; length < 40; ++length) {
    for (int c = 0; c < 256; ++c) {
      for (const std::size_t behind : {0, 3, 40}) {
        const char last = static_cast<char>(c);
        std::string words = std::string(length, 'q') + last + std::string(behind, ';');
        const auto* first_other =
            std::find_if_not(words.data(), words.data() + words.size(), is_word_byte);
        EXPECT_EQ(word_end(words.data(), words.data() + words.size()), first_other) << length << c;
        std::string spaces = std::string(length, ' ') + last + std::string(behind, 'x');
        EXPECT_EQ(spaces_end(spaces.data(), spaces.data() + spaces.size()) - spaces.data(),
                  static_cast<std::ptrdiff_t>(length + (last == ' ' ? 1 : 0)));
      }
    }
  }
}

TEST(Scan, FindsBytesAtAnyPosition) {
  for (const std::string needle : {"g", "gx", "gfx", "gfx942"}) {
    for (std::size_t before = 0; before < 40; ++before) {
      const std::string text = std::string(before, 'g') + needle + std::string(before % 7, 'f');
      EXPECT_TRUE(has_bytes(text, needle)) << text;
      EXPECT_FALSE(has_bytes(std::string(before, 'x') + "fg", "gf")) << before;
    }
  }
  EXPECT_FALSE(has_bytes("", "gfx"));
}

}  // namespace

}  // namespace hipwright::syntax
