// SPDX-License-Identifier: MIT
#include "lint/selection.h"

#include <gmock/gmock.h>

namespace hipwright::lint {
namespace {

using testing::HasSubstr;

const Rule& hw(std::string_view code) {
  return *find_rule(code);
}

Selection selection(Options options) {
  auto made = make_selection(options);
  EXPECT_TRUE(made) << made.error().message();
  return made ? *made : Selection{};
}

std::vector<arch::Target> targets(std::string_view names) {
  return *arch::parse_target_names(names);
}

bool wants(const Selection& selection, Relevance relevance) {
  return selection.wants({.relevance = relevance});
}

TEST(FindRule, ByCodeOrNameInAnyCase) {
  EXPECT_EQ(find_rule("hw201"), find_rule("HW201"));
  EXPECT_EQ(find_rule("Ballot-In-32-Bits"), find_rule("HW201"));
  EXPECT_EQ(find_rule("HW20"), nullptr);
}

TEST(Selection, TheDefaultIsEverythingButWorkflows) {
  for (const Rule& rule : all_rules())
    EXPECT_EQ(selection({}).has(&rule), rule.area() != Area::kWorkflow) << rule.code;
  EXPECT_TRUE(selection({.select = {"workflow"}}).has(find_rule("HC101")));
  EXPECT_FALSE(selection({.select = {"workflow"}}).has(&hw("HW101")));
  EXPECT_EQ(selection({.select = {"HC30"}}).rules.size(), 7U);
}

TEST(Selection, ByCodePrefixNameAndArea) {
  for (const char* word :
       {"HW101", "HW10", "HW1", "warp-size-constant", "wave-size", "HW", "all"}) {
    EXPECT_TRUE(selection({.select = {word}}).has(&hw("HW101"))) << word;
    EXPECT_FALSE(selection({.ignore = {word}}).has(&hw("HW101"))) << word;
  }
  EXPECT_FALSE(selection({.select = {"HW0"}}).has(&hw("HW101")));
}

TEST(Selection, TheMoreSpecificSelectorWins) {
  EXPECT_TRUE(selection({.select = {"HW101"}, .ignore = {"HW1"}}).has(&hw("HW101")));
  EXPECT_FALSE(selection({.select = {"HW1"}, .ignore = {"HW101"}}).has(&hw("HW101")));
  EXPECT_FALSE(selection({.select = {"HW1"}, .ignore = {"HW1"}}).has(&hw("HW101")));
  EXPECT_TRUE(
      selection({.select = {"warp-size-constant"}, .ignore = {"wave-size"}}).has(&hw("HW101")));
}

TEST(Selection, UnknownWordsAreErrors) {
  for (const char* word : {"HW999", "hw1", "", "warp-size"}) {
    const auto made = make_selection({.select = {word}});
    ASSERT_FALSE(made) << word;
    EXPECT_THAT(made.error().message(), HasSubstr("not a code, name or area"));
  }
  EXPECT_THAT(make_selection({.ignore = {"wave-sise"}}).error().message(),
              HasSubstr("Did you mean wave-size?"));
}

TEST(Selection, PerFileIgnores) {
  const Selection chosen =
      selection({.per_file_ignores = {{"tests/**", {"HW1"}}, {"*.gen.cu", {"all"}}}});
  const auto has = [&](std::string_view path) {
    const auto rules = chosen.rules_for(path);
    return std::find(rules.begin(), rules.end(), &hw("HW101")) != rules.end();
  };
  EXPECT_TRUE(has("src/a.cu"));
  EXPECT_FALSE(has("tests/a.cu"));
  EXPECT_FALSE(has("src/a.gen.cu"));
  EXPECT_FALSE(make_selection({.per_file_ignores = {{"*", {"HW999"}}}}));
}

TEST(Selection, TargetsDecideWhatMatters) {
  const Selection mi300 = selection({.targets = targets("gfx942")});
  EXPECT_TRUE(wants(mi300, Relevance::kAll));
  EXPECT_TRUE(wants(mi300, Relevance::kWave64));
  EXPECT_FALSE(wants(mi300, Relevance::kWave32));
  EXPECT_TRUE(wants(mi300, Relevance::kFnuz));
  EXPECT_FALSE(wants(mi300, Relevance::kOcp));

  const Selection mixed = selection({.targets = targets("gfx950, gfx1100")});
  EXPECT_TRUE(wants(mixed, Relevance::kWave64));
  EXPECT_TRUE(wants(mixed, Relevance::kWave32));
  EXPECT_TRUE(wants(mixed, Relevance::kOcp));
  EXPECT_FALSE(wants(mixed, Relevance::kFnuz));

  const Selection generic = selection({.targets = targets("gfx9-4-generic")});
  EXPECT_TRUE(wants(generic, Relevance::kWave64));
  EXPECT_FALSE(wants(generic, Relevance::kFnuz)) << "gfx9-4-generic has no fp8";
  EXPECT_TRUE(wants(selection({}), Relevance::kFnuz));
}

}  // namespace
}  // namespace hipwright::lint
