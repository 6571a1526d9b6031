// SPDX-License-Identifier: MIT
#include "lsp/settings.h"

#include <gmock/gmock.h>

namespace hipwright::lsp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Settings, AreTheKeysOfTheConfigurationFile) {
  const auto options = parse_settings(Value::parse(
      R"({"hipwright": {"select": ["HW1"], "ignore": "HW101", "exclude": ["third_party/"],
          "arch": ["gfx942", "gfx1100"], "min-confidence": "high"}, "other": 1})"));
  ASSERT_TRUE(options) << options.error().message();
  EXPECT_THAT(options->select, ElementsAre("HW1"));
  EXPECT_THAT(options->ignore, ElementsAre("HW101"));
  EXPECT_THAT(options->exclude, ElementsAre("third_party/"));
  EXPECT_EQ(options->targets.size(), 2U);
  EXPECT_EQ(options->min_confidence, Confidence::kHigh);
  EXPECT_TRUE(parse_settings(Value()));
  EXPECT_TRUE(parse_settings(Value::object()));
}

TEST(Settings, MistakesAreNamed) {
  const auto error = [](const char* text) {
    const auto options = parse_settings(Value::parse(text));
    return options ? "" : options.error().message();
  };
  EXPECT_THAT(error(R"({"selct": []})"), HasSubstr("'selct'"));
  EXPECT_THAT(error(R"({"select": ["HW999"]})"), HasSubstr("HW999"));
  EXPECT_THAT(error(R"({"select": [1]})"), HasSubstr("expected strings"));
  EXPECT_THAT(error(R"({"arch": ["gfx924"]})"), HasSubstr("gfx924"));
  EXPECT_THAT(error(R"({"min-confidence": "sure"})"), HasSubstr("sure"));
  EXPECT_THAT(error("[]"), HasSubstr("expected an object"));
}

}  // namespace
}  // namespace hipwright::lsp
