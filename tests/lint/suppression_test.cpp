// SPDX-License-Identifier: MIT
#include "lint/suppression.h"

#include <gmock/gmock.h>

#include "lint/tree.h"

namespace hipwright::lint {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

class SuppressionTest : public TreeTest {};

TEST_F(SuppressionTest, AnUnknownRuleIsUnknownAndNotUnused) {
  file("a.cu", "int a;  // hipwright: ignore[W101] a letter is missing\n");
  EXPECT_THAT(places(run()), ElementsAre("a.cu:1 HW003"));
}

TEST_F(SuppressionTest, MisspeltDirectivesAreReportedAndProseIsNot) {
  file("a.cu",
       "int a;  // hipwright: ingores[HW101] why\n"
       "int b;  // hipwright: ignorefiles[HW101] why\n"
       "int c;  // hipwright: results[HW101] are better\n");
  EXPECT_THAT(places(run()), ElementsAre("a.cu:1 HW003", "a.cu:2 HW003"));
}

TEST(Suppression, BeginsWithEitherMarkInFilesOfOtherLanguages) {
  const std::string_view text =
      "a # hipwright: ignore[HW101] why\n"
      "b // hipwright: ignore[HW101] why\n"
      "c hipwright: ignore[HW101] why\n"
      "// d # hipwright: ignore[HW101] why\n"
      "e\n";
  const Source source("notes.txt", text);
  const auto found = find_suppressions(source);
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_EQ(found[0].line, 1U);
  EXPECT_EQ(found[1].line, 2U);
  // The whole line is a comment, which is about the next one.
  EXPECT_EQ(found[2].line, 5U);
}

}  // namespace
}  // namespace hipwright::lint
