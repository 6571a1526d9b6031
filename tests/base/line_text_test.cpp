// SPDX-License-Identifier: MIT
#include "base/line_text.h"

#include <gtest/gtest.h>

namespace hipwright {
namespace {

TEST(LineExcerpt, IsTheLineOrThePartAroundTheColumn) {
  const std::string text = "first\nsecond\r\n" + std::string(1000, 'a') + "HERE\n";
  const LineIndex lines(text);
  const LineExcerpt second = line_excerpt(text, lines, {2, 3});
  EXPECT_EQ(second.text, "second");
  EXPECT_EQ(second.column, 1U);
  EXPECT_TRUE(second.is_whole);
  const LineExcerpt third = line_excerpt(text, lines, {3, 1001});
  EXPECT_TRUE(third.text.ends_with("aHERE")) << third.text;
  EXPECT_EQ(third.text.substr(1001 - third.column, 4), "HERE");
  EXPECT_FALSE(third.is_whole);
  EXPECT_FALSE(line_excerpt(text, lines, {3, 1}).is_whole);
}

TEST(CodePointPositions, CountCharactersInAnyOrder) {
  const std::string text =
      "a\xC3\xA4"
      "b\n\xF0\x9F\x99\x82"
      "c\n";
  const LineIndex lines(text);
  CodePointPositions positions(text, lines);
  EXPECT_EQ(positions.of(std::size_t{3}), (Position{1, 3}));
  EXPECT_EQ(positions.of(std::size_t{1}), (Position{1, 2}));
  EXPECT_EQ(positions.of(std::size_t{9}), (Position{2, 2}));
  EXPECT_EQ(positions.of(std::size_t{3}), (Position{1, 3}));
  EXPECT_EQ(positions.of(std::size_t{9}), (Position{2, 2}));
  EXPECT_EQ(positions.of(Position{2, 5}), (Position{2, 2}));
  EXPECT_EQ(positions.of(Position{2, 99}), (Position{2, 3})) << "the end of the line";
  EXPECT_EQ(positions.of(Position{9, 4}), (Position{9, 1})) << "no such line";
}

TEST(Fingerprints, DifferByCodePathLineAndOccurrence) {
  Fingerprints first("a.cu"), second("a.cu"), other("b.cu");
  const std::string name = first.next("HW101", "int w = 32;");
  EXPECT_EQ(second.next("HW101", "\tint w  = 32;\r"), name) << "blanks do not count";
  EXPECT_NE(first.next("HW101", "int w = 32;"), name) << "the second of its kind";
  EXPECT_NE(second.next("HW102", "int w = 32;"), name);
  EXPECT_NE(other.next("HW101", "int w = 32;"), name);
}

}  // namespace
}  // namespace hipwright
