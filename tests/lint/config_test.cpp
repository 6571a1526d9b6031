// SPDX-License-Identifier: MIT
#include "lint/config.h"

#include <gmock/gmock.h>

namespace hipwright::lint {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Config, ReadsEveryKey) {
  const auto config = parse_config(R"(
[amd]
memory_fraction = 0.9

[lint]
select = ["HW1", "wave-size"]
ignore = "HW001"
exclude = ["third_party/"]
arch = ["gfx942", "MI350X"]
min-confidence = "medium"
baseline = "old.json"

[lint.per-file-ignores]
"tests/**" = ["HW1"]
)",
                                   "/p/hipwright.toml");
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->folder, "/p");
  EXPECT_THAT(config->select, ElementsAre("HW1", "wave-size"));
  EXPECT_THAT(config->ignore, ElementsAre("HW001"));
  EXPECT_THAT(config->exclude, ElementsAre("third_party/"));
  ASSERT_EQ(config->targets.size(), 2U);
  EXPECT_EQ(config->targets[1].processor, "gfx950");
  EXPECT_EQ(config->min_confidence, Confidence::kMedium);
  EXPECT_EQ(config->baseline, "old.json");
  ASSERT_EQ(config->per_file_ignores.size(), 1U);
  EXPECT_EQ(config->per_file_ignores[0].pattern, "tests/**");
}

TEST(Config, IgnoresOtherTables) {
  EXPECT_TRUE(parse_config("[amd]\nanything = 1\n", "hipwright.toml"));
  EXPECT_TRUE(parse_config("", "hipwright.toml"));
}

struct Wrong {
  const char* text;
  const char* place;
  const char* message;
};
class ConfigError : public testing::TestWithParam<Wrong> {};

TEST_P(ConfigError, NamesTheLine) {
  const auto config = parse_config(GetParam().text, "p/hipwright.toml");
  ASSERT_FALSE(config);
  EXPECT_THAT(config.error().message(), HasSubstr(GetParam().place));
  EXPECT_THAT(config.error().message(), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Each, ConfigError,
    testing::Values(Wrong{"[lint]\n\nselct = []\n", "p/hipwright.toml:3", "Did you mean select?"},
                    Wrong{"[lint]\nzzzzzzzzz = 1\n", ":2", "Known keys: select, ignore"},
                    Wrong{"[lint]\nselect = 1\n", ":2", "expected a string or an array"},
                    Wrong{"[lint]\nselect = [1]\n", ":2", "expected a string"},
                    Wrong{"[lint]\nignore = ['HW999']\n", ":2", "HW999"},
                    Wrong{"[lint]\narch = 'gfx924'\n", ":2", "Did you mean gfx942"},
                    Wrong{"[lint]\nmin-confidence = 'sure'\n", ":2",
                          "unknown confidence level 'sure': expected low, medium or high"},
                    Wrong{"[lint]\nper-file-ignores = 1\n", ":2", "must be a table"},
                    Wrong{"[lint.per-file-ignores]\n'*' = ['HW999']\n", ":2", "HW999"},
                    Wrong{"lint = 1\n", ":1", "Write [lint]"},
                    Wrong{"[lint\n", ":1", "cannot read"}));

TEST(Config, OptionsComeFirstAndIgnoresAddUp) {
  Options options{.select = {"HW1"}, .ignore = {"HW001"}};
  apply({.folder = "/p",
         .select = {"HW0"},
         .ignore = {"HW002"},
         .exclude = {"x/"},
         .min_confidence = Confidence::kHigh},
        options);
  EXPECT_THAT(options.select, ElementsAre("HW1"));
  EXPECT_THAT(options.ignore, ElementsAre("HW001", "HW002"));
  EXPECT_THAT(options.exclude, ElementsAre("x/"));
  EXPECT_EQ(options.min_confidence, Confidence::kHigh);
  EXPECT_EQ(options.project, "/p");
}

}  // namespace
}  // namespace hipwright::lint
