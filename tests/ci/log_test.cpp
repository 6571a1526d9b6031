// SPDX-License-Identifier: MIT
#include "ci/log/explain.h"

#include <algorithm>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "paths.h"

namespace hipwright::ci {
namespace {

struct Label {
  std::string log, cause, fault;
  unsigned line = 0;
};

std::vector<Label> labels(const char* file) {
  std::istringstream in(read_file(tests_folder() / "ci/logs" / file).value());
  std::string heading;
  std::getline(in, heading);
  std::vector<Label> all;
  for (Label label; in >> label.log >> label.cause >> label.line >> label.fault;)
    all.push_back(label);
  return all;
}

class Labelled : public testing::TestWithParam<const char*> {};

// The line may be another that shows the same cause.
TEST_P(Labelled, IsExplained) {
  std::size_t at_the_line = 0;
  const auto all = labels(GetParam());
  ASSERT_GE(all.size(), 10U);
  for (const Label& label : all) {
    const auto found =
        explain_log(read_file(tests_folder() / "ci/logs" / (label.log + ".log")).value());
    ASSERT_TRUE(found) << label.log;
    EXPECT_EQ(found->cause->id, label.cause) << label.log;
    EXPECT_EQ(to_string(found->cause->fault), label.fault) << label.log;
    at_the_line += found->line.number == label.line;
  }
  EXPECT_GE(at_the_line, all.size() - 2);
}

INSTANTIATE_TEST_SUITE_P(Log, Labelled,
                         testing::Values("labels.tsv", "labels_second.tsv", "labels_third.tsv",
                                         "labels_fourth.tsv"));

TEST(Log, SaysNothingAboutALogWithoutAKnownCause) {
  EXPECT_FALSE(explain_log(""));
  EXPECT_FALSE(explain_log("2026-02-03T10:11:12.0000001Z all 14 tests passed\n"));
  EXPECT_FALSE(explain_log("+ hipcc: command not found\n")) << "a repeated command is no cause";
  EXPECT_FALSE(explain_log(std::string(1 << 20, 'x')));
}

TEST(Log, PrefersTheRootToItsConsequences) {
  const auto found =
      explain_log(
          "ld.lld: error: undefined symbol: f\n\x1b[31mwrite: No space left on device\x1b[0m\n")
          .value();
  EXPECT_EQ(found.cause->id, "disk-full");
  EXPECT_EQ(found.line.number, 2U);
  EXPECT_EQ(found.line.text, "write: No space left on device");
  ASSERT_EQ(found.also.size(), 1U);
  EXPECT_EQ(found.also[0]->id, "undefined-symbol");
}

// What a compiler and a runner print in colour: ESC [ K erases to the end of the line, and is no
// text.
TEST(Log, EscapeSequencesAreNoText) {
  const auto found = explain_log(
                         "\x1b[01m\x1b[Ka.cpp:1:\x1b[m\x1b[K \x1b[01;31m\x1b[Kfatal: No space "
                         "left on device\x1b[m\x1b[K\x1b]0;title\x07\n")
                         .value();
  EXPECT_EQ(found.line.text, "a.cpp:1: fatal: No space left on device");
  EXPECT_EQ(explain_log("No space left on device\x1b")->line.text, "No space left on device");
  EXPECT_EQ(explain_log("\x1b]0;t\x1b\\No space left on device\x1b[3")->line.text,
            "No space left on device");
}

TEST(Log, LinesThatOnlyLookTimed) {
  EXPECT_EQ(explain_log("    -     T          No space left on device")->line.text,
            "-     T          No space left on device");
  EXPECT_EQ(explain_log("2026-02-03T10:11:12.0000001Z No space left on device")->line.text,
            "No space left on device");
}

TEST(Log, CausesAreCompleteAndSorted) {
  EXPECT_TRUE(std::ranges::is_sorted(causes(), std::ranges::greater(), &Cause::weight));
  std::set<std::string_view> ids;
  for (const Cause& cause : causes()) {
    EXPECT_TRUE(ids.insert(cause.id).second) << cause.id;
    EXPECT_FALSE(cause.fix.empty() || cause.explanation.empty()) << cause.id;
  }
}

}  // namespace
}  // namespace hipwright::ci
