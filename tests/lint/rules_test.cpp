// SPDX-License-Identifier: MIT
// What must hold for every rule, shown by its fixture (lint/fixture.h).
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/file.h"
#include "lint/fix.h"
#include "lint/fixture.h"
#include "syntax/cuda/file.h"
#include "syntax/python/file.h"
#include "syntax/text.h"

namespace hipwright::lint {
namespace {

using testing::HasSubstr;

// The rule alone; those about suppressions need something to suppress.
Options alone(const Rule& rule, const Fixture& fixture) {
  Options options{.root = fixture.folder, .select = {std::string(rule.code)}};
  options.documented_targets = {{"gfx1201", "docs/ci.md:3"}};
  if (rule.area() == Area::kSuppression) options.select.push_back("HW101");
  return options;
}

std::string place(const std::string& path, std::uint32_t line, const std::string& code) {
  return fmt::format("{}:{}: {}", path, line, code);
}

std::string text_of(const Fixture& fixture, const std::string& path) {
  auto bytes = read_file(fixture.folder / path);
  return bytes ? syntax::decode(*std::move(bytes)).bytes : "";
}

std::size_t problems(const std::string& path, const std::string& text) {
  if (path.ends_with(".py") || path.ends_with(".pyi"))
    return syntax::python::File(text).problems().size();
  return syntax::cuda::File(text).problems().size();
}

class RuleFixture : public testing::TestWithParam<const Rule*> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(std::filesystem::is_directory(fixture_folder(rule().code)))
        << "no fixtures: write tests/lint/fixtures/" << rule().code;
    auto read = read_fixture(fixture_folder(rule().code));
    ASSERT_TRUE(read) << read.error().message();
    fixture_ = *std::move(read);
  }
  const Rule& rule() const { return *GetParam(); }

  void check_fixes(FixKind kind) {
    const Options options = alone(rule(), fixture_);
    // The fixes of HW101 would change what the suppressions are about.
    const FixKind tried = rule().area() == Area::kSuppression ? FixKind::kSafe : kind;
    const auto fixed = fix(options, tried);
    ASSERT_TRUE(fixed) << fixed.error().message();
    for (const Finding& left : fixed->left.findings)
      for (const Fix& offered : left.fixes)
        EXPECT_FALSE(offered.safe || tried == FixKind::kUnsafe)
            << place(left.path, left.position.line, left.code) << " is still there after its fix";
    for (const FixedFile& file : fixed->files)
      EXPECT_LE(problems(file.path, file.after), problems(file.path, file.before))
          << "the fixed " << file.path << " is broken:\n"
          << file.after;

    Options again = options;
    for (const FixedFile& file : fixed->files) again.overlay[file.path] = file.after;
    const auto twice = fix(again, tried);
    ASSERT_TRUE(twice) << twice.error().message();
    EXPECT_TRUE(twice->files.empty()) << "a second run changes " << twice->files.front().path;
    if (kind == FixKind::kSafe) compare_fixed(*fixed);
  }

  void compare_fixed(const FixResult& fixed) {
    for (const std::string& path : fixture_.sources) {
      const auto wanted = read_file(fixture_.folder / (path + ".fixed"));
      if (!wanted) continue;
      const auto file = std::find_if(fixed.files.begin(), fixed.files.end(),
                                     [&](const FixedFile& each) { return each.path == path; });
      EXPECT_EQ(file == fixed.files.end() ? text_of(fixture_, path) : file->after, *wanted) << path;
    }
  }

  Fixture fixture_;
};

TEST_P(RuleFixture, ShowsTheBugAndItsLookAlikes) {
  EXPECT_GE(fixture_.expected.size(), 1U) << "no line with 'finding: " << rule().code << "'";
  EXPECT_GE(fixture_.quiet, 3U) << "at least three tempting lines with 'quiet: why'";
  for (const Expected& expected : fixture_.expected)
    EXPECT_EQ(expected.code, rule().code) << expected.path << ":" << expected.line;
}

TEST_P(RuleFixture, FindsExactlyTheExpectedLines) {
  const auto report = lint(alone(rule(), fixture_));
  ASSERT_TRUE(report) << report.error().message();
  std::vector<std::string> found, wanted;
  for (const Finding& finding : report->findings)
    if (finding.rule == &rule())
      found.push_back(place(finding.path, finding.position.line, finding.code));
  for (const Expected& expected : fixture_.expected)
    wanted.push_back(place(expected.path, expected.line, expected.code));
  std::sort(found.begin(), found.end());
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(found, wanted);
  for (const Expected& expected : fixture_.expected)
    for (const Finding& finding : report->findings) {
      if (finding.rule != &rule() || finding.path != expected.path ||
          finding.position.line != expected.line)
        continue;
      EXPECT_GE(finding.confidence, expected.at_least)
          << place(expected.path, expected.line, expected.code);
    }
}

// What is wrong in a workflow's fixture is wrong for one reason, whichever rules look at it.
TEST_P(RuleFixture, NoOtherRuleOfWorkflowsFindsSomething) {
  if (rule().area() != Area::kWorkflow) return;
  Options all = alone(rule(), fixture_);
  all.select = {"workflow"};
  if (rule().code != "HC405") all.documented_targets.clear();
  const auto report = lint(all);
  ASSERT_TRUE(report) << report.error().message();
  for (const Finding& finding : report->findings)
    if (finding.path.ends_with("/err.yml"))
      EXPECT_EQ(finding.code, rule().code) << place(finding.path, finding.position.line, "");
}

TEST_P(RuleFixture, SafeFixesRemoveTheFindings) {
  check_fixes(FixKind::kSafe);
}

TEST_P(RuleFixture, UnsafeFixesRemoveTheFindings) {
  check_fixes(FixKind::kUnsafe);
}

TEST_P(RuleFixture, HasAPageWithAllSections) {
  const std::string page = rule_page(rule());
  for (const char* section : {"## What it finds\n", "## Why it matters\n", "## Example\n",
                              "## Use instead\n", "## When it is not a bug\n"})
    EXPECT_THAT(page, HasSubstr(section)) << rule().source;
  EXPECT_THAT(page, HasSubstr("```")) << rule().source << ": the example is code";
}

std::vector<const Rule*> every_rule() {
  std::vector<const Rule*> list;
  for (const Rule& rule : all_rules()) list.push_back(&rule);
  return list;
}

INSTANTIATE_TEST_SUITE_P(Every, RuleFixture, testing::ValuesIn(every_rule()),
                         [](const auto& rule) { return std::string(rule.param->code); });

TEST(Rules, HaveUniqueCodesAndNames) {
  std::set<std::string_view> seen;
  for (const Rule& rule : all_rules()) {
    EXPECT_TRUE(seen.insert(rule.code).second) << rule.code;
    EXPECT_TRUE(seen.insert(rule.name).second) << rule.name;
    EXPECT_THAT(std::string(rule.code), testing::MatchesRegex("H[WC][0-9][0-9][0-9]"));
    EXPECT_FALSE(rule.summary.empty()) << rule.code;
  }
}

// HW201 ballot-in-32-bits is in cross_lane/ballot_in_32_bits.cpp: who knows one finds the others.
TEST(Rules, ArePlacedByNameAndArea) {
  for (const Rule& rule : all_rules()) {
    std::string wanted = fmt::format("{}/{}.cpp", to_string(rule.area()), rule.name);
    std::replace(wanted.begin(), wanted.end(), '-', '_');
    EXPECT_EQ(rule.source, wanted) << rule.code;
  }
}

TEST(Rules, EveryFixtureBelongsToARule) {
  for (const auto& entry : std::filesystem::directory_iterator(fixture_folder("")))
    EXPECT_NE(find_rule(entry.path().filename().string()), nullptr) << entry.path();
}

}  // namespace
}  // namespace hipwright::lint
