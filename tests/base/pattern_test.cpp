// SPDX-License-Identifier: MIT
#include "base/pattern.h"

#include <gtest/gtest.h>

namespace hipwright {
namespace {

using Groups = std::vector<std::string>;

TEST(Pattern, MatchesTheWholeTextOrFindsAPlaceInIt) {
  const Pattern pattern("([a-z]+)=([0-9]+)?");
  EXPECT_EQ(pattern.match("size=12"), (Groups{"size=12", "size", "12"}));
  EXPECT_EQ(pattern.match("size="), (Groups{"size=", "size", ""}));
  EXPECT_EQ(pattern.match(" size=12"), Groups{});
  EXPECT_EQ(pattern.find(" size=12 "), (Groups{"size=12", "size", "12"}));
  EXPECT_EQ(pattern.find("size"), Groups{});
  EXPECT_EQ(pattern.match(""), Groups{});
}

// A matcher that calls itself per character overflows the stack, one that goes back never ends.
TEST(Pattern, MatchesTextsOfAnyLength) {
  const std::string text(1'000'000, 'a');
  EXPECT_EQ(Pattern("(a*)*b?").match(text).at(0).size(), text.size());
  EXPECT_EQ(Pattern("(a*)*b").find(text), Groups{});
}

TEST(Pattern, CountsBytesThatAreNotText) {
  EXPECT_EQ(Pattern("a(.)b").match("a\xFF"
                                   "b"),
            (Groups{"a\xFF"
                    "b",
                    "\xFF"}));
  EXPECT_EQ(Pattern("(x)?y").match("y"), (Groups{"y", ""}));
}

}  // namespace
}  // namespace hipwright
