// SPDX-License-Identifier: MIT
#include "base/visible.h"

#include <gtest/gtest.h>

namespace hipwright {
namespace {

TEST(Visible, ControlCharactersAreShown) {
  EXPECT_EQ(visible("a\x1b]0;t\x07z"), "a\\x1b]0;t\\x07z");
  EXPECT_EQ(visible("a\tb\nc\r\n"), "a\tb\nc\r\n");
  EXPECT_EQ(visible("hidden\rshown\n"), "hidden\\x0dshown\n");
  EXPECT_EQ(visible("C1 \xC2\x9B"
                    "2J, DEL \x7F"),
            "C1 \\x9b2J, DEL \\x7f");
  EXPECT_EQ(visible("naïve €"), "naïve €");
  EXPECT_EQ(visible(std::string_view("\0", 1)), "\\x00");
}

TEST(Visible, OnlyColoursStay) {
  EXPECT_EQ(visible("\x1b[31;1mred\x1b[0m", true), "\x1b[31;1mred\x1b[0m");
  EXPECT_EQ(visible("\x1b[31;1mred", false), "\\x1b[31;1mred");
  EXPECT_EQ(visible("\x1b[2J\x1b[?25l\x1b[12345678m", true), "\\x1b[2J\\x1b[?25l\\x1b[12345678m");
  EXPECT_EQ(visible("\x1b[3", true), "\\x1b[3");
}

TEST(Visible, MarkdownKeepsTheTextAndNothingElse) {
  EXPECT_EQ(markdown_text("a|b *c* _d_ `e` [f](g)"), "a\\|b \\*c\\* \\_d\\_ \\`e\\` \\[f\\](g)");
  EXPECT_EQ(markdown_text("<img src=x> &amp; \\"), "&lt;img src=x> &amp;amp; \\\\");
  EXPECT_EQ(markdown_text("one\ntwo\r\n", "<br>"), "one<br>two<br>");
  EXPECT_EQ(markdown_text("@everyone"), "@<!-- -->everyone");
  EXPECT_EQ(markdown_text("\x1b"), "\\\\x1b");
}

TEST(Visible, PatchNamesAreQuotedAsGitDoes) {
  EXPECT_EQ(patch_name("a/b c.cu"), "a/b c.cu");
  EXPECT_EQ(patch_name("a/ü.cu"), "a/ü.cu");
  EXPECT_EQ(patch_name("a/t\tn\nq\"b\\.cu"), "\"a/t\\tn\\nq\\\"b\\\\.cu\"");
  EXPECT_EQ(patch_name("\a\b\v\f\r\x1b\x7f"), "\"\\a\\b\\v\\f\\r\\033\\177\"");
}

}  // namespace
}  // namespace hipwright
