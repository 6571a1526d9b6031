// SPDX-License-Identifier: MIT
#include "base/json.h"

#include <string>

#include <gmock/gmock.h>

namespace hipwright {
namespace {

using testing::HasSubstr;

std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

// Copying, comparing and writing a value go down level by level.
TEST(Json, NestingIsLimited) {
  EXPECT_TRUE(parse_json(nested(1000), "a.json"));
  EXPECT_THAT(parse_json("\n" + nested(1001), "a.json").error().message(),
              HasSubstr("a.json:2:1001': nested deeper than 1000 levels"));
  EXPECT_FALSE(parse_json(nested(1'000'000), "a.json"));
  std::string objects;
  for (int i = 0; i < 1001; ++i) objects += "{\"a\":";
  EXPECT_THAT(parse_json(objects, "a.json").error().message(), HasSubstr("nested deeper"));
}

TEST(Json, BracketsInTextsAreNoNesting) {
  const std::string text = "[\"\\\"" + std::string(5000, '[') + "\", \"\\\\\", {}]";
  EXPECT_TRUE(parse_json(text, "a.json"));
  EXPECT_TRUE(parse_json("[" + nested(3) + ",[],[{}],[]]", "a.json"));
}

TEST(Json, InvalidTextNamesTheLine) {
  EXPECT_THAT(parse_json("{\n  \"a\": }", "a.json").error().message(), HasSubstr("a.json:2:8"));
  EXPECT_FALSE(parse_json("", "a.json"));
  EXPECT_FALSE(parse_json("1e999", "a.json"));
}

}  // namespace
}  // namespace hipwright
