// SPDX-License-Identifier: MIT
#include "lsp/text_lines.h"

#include <random>

#include <gtest/gtest.h>

namespace hipwright::lsp {

void PrintTo(const Place& place, std::ostream* out) {
  *out << place.line << ":" << place.character;
}

namespace {

TEST(TextLines, AllThreeLineEndsCount) {
  const TextLines lines("a\nb\r\nc\rd\n");
  EXPECT_EQ(lines.place(2), (Place{1, 0}));
  EXPECT_EQ(lines.place(5), (Place{2, 0}));
  EXPECT_EQ(lines.place(7), (Place{3, 0}));
  EXPECT_EQ(lines.place(9), (Place{4, 0}));
  EXPECT_EQ(lines.offset({2, 0}), 5U);
  EXPECT_EQ(lines.line_around(3), (Span{2, 3}));
}

TEST(TextLines, ColumnsCountUnitsOfTheEncoding) {
  const std::string text = "x\nä😀z";  // 2 and 4 bytes, 1 and 2 units
  const TextLines utf8(text, PositionEncoding::kUtf8);
  const TextLines utf16(text, PositionEncoding::kUtf16);
  const TextLines utf32(text, PositionEncoding::kUtf32);
  EXPECT_EQ(utf8.place(8), (Place{1, 6}));
  EXPECT_EQ(utf16.place(8), (Place{1, 3}));
  EXPECT_EQ(utf32.place(8), (Place{1, 2}));
  EXPECT_EQ(utf8.offset({1, 6}), 8U);
  EXPECT_EQ(utf16.offset({1, 3}), 8U);
  EXPECT_EQ(utf32.offset({1, 2}), 8U);
}

TEST(TextLines, PositionsOutOfRangeAreClamped) {
  const TextLines lines("ab\r\nc😀d", PositionEncoding::kUtf16);
  EXPECT_EQ(lines.offset({0, 99}), 2U) << "not behind the line's end";
  EXPECT_EQ(lines.offset({9, 0}), 10U);
  EXPECT_EQ(lines.offset({1, 2}), 5U) << "not in the middle of a character";
  EXPECT_EQ(TextLines("ä", PositionEncoding::kUtf8).offset({0, 1}), 0U);
  EXPECT_EQ(lines.place(99), lines.place(10));
  EXPECT_EQ(TextLines("").offset({0, 0}), 0U);
  EXPECT_EQ(TextLines("").place(0), (Place{0, 0}));
}

TEST(TextLines, AChangeCanMakeOneLineEndOfTwo) {
  TextLines lines("a\rb");
  ASSERT_EQ(lines.place(2), (Place{1, 0}));
  lines.replace({2, 2}, "\n");
  EXPECT_EQ(lines.text(), "a\r\nb");
  EXPECT_EQ(lines.place(3), (Place{1, 0}));
}

// Whatever is changed and asked in whatever order: the same as a text that was never changed.
TEST(TextLines, IncrementalChangesMatchAFullText) {
  std::mt19937 random(7);
  const std::vector<std::string> pieces = {"a", "\n", "\r", "\r\n", "ä", "😀", "", "xy\nz"};
  for (const auto encoding :
       {PositionEncoding::kUtf8, PositionEncoding::kUtf16, PositionEncoding::kUtf32}) {
    TextLines lines("", encoding);
    std::string plain;
    for (int step = 0; step < 500; ++step) {
      const auto boundary = [&] {
        std::size_t at = random() % (plain.size() + 1);
        while (at < plain.size() && (static_cast<unsigned char>(plain[at]) & 0xC0U) == 0x80) ++at;
        return at;
      };
      Span span{boundary(), boundary()};
      if (span.end < span.begin || plain.size() < 40) span.end = span.begin;
      const std::string& piece = pieces[random() % pieces.size()];
      lines.replace(span, piece);
      plain.replace(span.begin, span.size(), piece);
      const TextLines fresh(plain, encoding);
      ASSERT_EQ(lines.text(), plain);
      const std::size_t asked = boundary();
      ASSERT_EQ(lines.place(asked), fresh.place(asked));
      ASSERT_EQ(lines.place(span.begin), fresh.place(span.begin));
      const Place place = fresh.place(asked);
      const bool in_line_end =
          asked > 0 && asked < plain.size() && plain[asked] == '\n' && plain[asked - 1] == '\r';
      ASSERT_EQ(lines.offset(place), in_line_end ? asked - 1 : asked);
    }
  }
}

}  // namespace
}  // namespace hipwright::lsp
