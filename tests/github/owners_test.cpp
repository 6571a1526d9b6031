// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "github/owners/codeowners.h"
#include "github/owners/line_authors.h"
#include "github/owners/merge_rules.h"

namespace hipwright::github {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CodeOwners, TheLastMatchingLineDecides) {
  const auto owners = CodeOwners::parse(
      "# comment\n"
      "*            @all\n"
      "*.md         @writer # trailing comment\n"
      "/build/logs/ @logs\n"
      "docs/*       @docs\n"
      "apps/        @apps @org/team\n"
      "/csrc/rocm   @amd mail@example.org\n"
      "/csrc/rocm/free\n"
      "/vllm/**/*rocm* @tj\n"
      "with\\ blank @blank\n"
      "!no @no\n"
      "[ab] @no\n");
  EXPECT_THAT(owners.of("a/b.py"), ElementsAre("all"));
  EXPECT_THAT(owners.of("a/README.md"), ElementsAre("writer"));
  EXPECT_THAT(owners.of("build/logs/a/b.txt"), ElementsAre("logs"));
  EXPECT_THAT(owners.of("x/build/logs/b.txt"), ElementsAre("all"));
  EXPECT_THAT(owners.of("docs/a.txt"), ElementsAre("docs"));
  EXPECT_THAT(owners.of("docs/build/a.txt"), ElementsAre("all"));
  EXPECT_THAT(owners.of("x/apps/y/z.c"), ElementsAre("apps", "org/team"));
  EXPECT_THAT(owners.of("csrc/rocm/a/b.cu"), ElementsAre("amd"));
  EXPECT_THAT(owners.of("csrc/rocm_other"), ElementsAre("all"));
  EXPECT_THAT(owners.of("csrc/rocm/free/a.cu"), IsEmpty());
  EXPECT_THAT(owners.of("vllm/x/rocm_aiter.py"), ElementsAre("tj"));
  EXPECT_THAT(owners.of("vllm/rocm.py"), ElementsAre("tj"));
  EXPECT_THAT(owners.of("with blank"), ElementsAre("blank"));
}

TEST(MergeRules, PatternsAreOfTheBotNotOfGit) {
  EXPECT_TRUE(merge_pattern_matches("*", "a/b/c.py"));  // the beginning of the path
  EXPECT_TRUE(merge_pattern_matches("**rocm**", "torch/rocm_a.py"));
  EXPECT_TRUE(merge_pattern_matches(".ci/**", ".ci/docker/a.sh"));
  EXPECT_TRUE(merge_pattern_matches("test/*_masked*", "test/a_masked.py"));
  EXPECT_FALSE(merge_pattern_matches("test/*_masked*", "test/b/a_masked.py"));
  EXPECT_FALSE(merge_pattern_matches("**rocm**", "torch/cuda.py"));
}

TEST(MergeRules, OneRuleMustCoverAllFiles) {
  const auto rules = parse_merge_rules(
      "- name: ROCm\n  patterns: ['**rocm**']\n  approved_by: [chief]\n"
      "- name: all\n  patterns:\n  - '*'\n  approved_by:\n  - core\n  - org/team\n",
      "rules");
  ASSERT_TRUE(rules) << rules.error().message();
  auto found = matching_rules(*rules, {{"rocm.py"}, {"a/rocm.py"}}, {"chief"});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[0].is_approved);
  EXPECT_FALSE(found[1].is_approved);
  EXPECT_TRUE(found[1].may_be_approved);
  found = matching_rules(*rules, {{"rocm.py"}, {"cuda.py"}}, {"chief"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule->name, "all");
  EXPECT_FALSE(parse_merge_rules("a: [", "rules"));
  EXPECT_FALSE(parse_merge_rules("- patterns: ['*']\n", "rules"));
}

TEST(LineAuthors, AreThoseOfTheReplacedLines) {
  const auto lines = replaced_lines(
      "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n"
      "@@ -1,4 +1,3 @@\n x\n-y\n-z\n+w\n k\n"
      "@@ -10,2 +9,3 @@\n p\n+q\n r\n");
  ASSERT_EQ(lines.size(), 1U);
  ASSERT_EQ(lines.at("a.py").size(), 2U);
  EXPECT_EQ(lines.at("a.py")[0].first, 2U);
  EXPECT_EQ(lines.at("a.py")[0].last, 3U);
  EXPECT_EQ(lines.at("a.py")[1].first, 10U);  // an insertion: what is around it
  EXPECT_EQ(lines.at("a.py")[1].last, 11U);
  const auto found = line_authors(
      lines, {{"a.py", "one", 1, 2}, {"a.py", "two", 3, 20}, {"b.py", "three", 1, 9}}, "one");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "two");
  EXPECT_EQ(found[0].count, 3U);
}

}  // namespace
}  // namespace hipwright::github
