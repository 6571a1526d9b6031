// SPDX-License-Identifier: MIT
#include "project/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hipwright::project {
namespace {

using testing::HasSubstr;

TEST(Rules, InvalidOnesAreRejectedWithTheirLine) {
  for (const char* text : {"x = 1", "\nnames = 3", "[names]\na = 3", "[names]\na = \"b c\"",
                           "[names]\n\"a-b\" = \"c\"", "keep = [\"1a\"]", "ignore = \"a\"",
                           "[headers]\n\"a\" = \"b>\"", "a = ["}) {
    const auto rules = parse_rules(text, "r.toml");
    ASSERT_FALSE(rules) << text;
    EXPECT_THAT(rules.error().on, HasSubstr("r.toml:")) << text;
  }
  EXPECT_TRUE(parse_rules("", "r.toml"));
}

}  // namespace
}  // namespace hipwright::project
