// SPDX-License-Identifier: MIT
#include "base/toml_depth.h"

#include <string>

#include <gtest/gtest.h>

namespace hipwright {
namespace {

std::string dotted(std::size_t parts) {
  std::string key = "a";
  for (std::size_t i = 1; i < parts; ++i) key += ".a";
  return key;
}

bool is_accepted(const std::string& text) {
  return check_toml_depth(text, "x.toml").has_value();
}

TEST(TomlDepth, LongKeysAreRejectedWithTheirLine) {
  EXPECT_TRUE(is_accepted(dotted(1001) + " = 1\n"));
  const auto deep = check_toml_depth("b = 1\n\n" + dotted(1002) + " = 1\n", "x.toml");
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().on, "x.toml:3");
}

TEST(TomlDepth, EveryPlaceOfAKeyCounts) {
  EXPECT_FALSE(is_accepted("[" + dotted(1002) + "]\n"));
  EXPECT_FALSE(is_accepted("[[" + dotted(1002) + "]]\n"));
  EXPECT_FALSE(is_accepted("x = { " + dotted(1002) + " = 1 }\n"));
  EXPECT_FALSE(is_accepted("x = [\n { b = 1, " + dotted(1002) + " = 1 } ]\n"));
  EXPECT_FALSE(is_accepted("x = { " + dotted(600) + " = { " + dotted(600) + " = 1 } }\n"));
  EXPECT_FALSE(is_accepted("\"" + std::string("q") + "\"." + dotted(1002) + " = 1\n"));
  EXPECT_FALSE(is_accepted("1." + dotted(1002) + " = 1\n"));
}

TEST(TomlDepth, DotsThatAreNoKeysDoNot) {
  std::string text = "# " + dotted(2000) + "\n";
  text += "s = \"" + dotted(2000) + "\"\n";
  text += "l = '" + dotted(2000) + "'\n";
  text += "m = \"\"\"\n" + dotted(2000) + "\n\\\"\"\" " + dotted(2000) + "\"\"\"\n";
  text += "n = '''\n" + dotted(2000) + "'''\n";
  text += "numbers = [";
  for (int i = 0; i < 2000; ++i) text += "1.5,\n";
  text += "]\n";
  for (int i = 0; i < 2000; ++i) text += "a" + std::to_string(i) + ".b = \"x.cu\"\n";
  EXPECT_TRUE(is_accepted(text));
}

TEST(TomlDepth, UnfinishedTextIsLeftToTheParser) {
  for (const char* text : {"", "\"", "'''", "\"\\", "[[[[", "}}}", "a = {", "\"a\nb = \"c", "#"})
    EXPECT_TRUE(is_accepted(text)) << text;
}

}  // namespace
}  // namespace hipwright
