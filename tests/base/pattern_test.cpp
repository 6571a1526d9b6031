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

TEST(Pattern, ATextThatIsTooLongDoesNotMatchAndDoesNotOverflowTheStack) {
  const Pattern anything(".*");
  EXPECT_FALSE(anything.match(std::string(Pattern::kLongest, 'a')).empty());
  EXPECT_TRUE(anything.match(std::string(100'000'000, 'a')).empty());
  EXPECT_TRUE(anything.find(std::string(100'000'000, 'a')).empty());
}

}  // namespace
}  // namespace hipwright
