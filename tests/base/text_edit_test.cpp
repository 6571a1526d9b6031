// SPDX-License-Identifier: MIT
#include "base/text_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/file.h"
#include "base/process.h"

namespace hipwright {
namespace {

TEST(ApplyEdits, ReplacesInsertsAndDeletesAtOnce) {
  const std::vector<TextEdit> edits = {{{4, 7}, "hip"}, {{0, 0}, "// "}, {{8, 9}, ""}};
  EXPECT_EQ(apply_edits("use cuda!.", edits).value(), "// use hipa.");
}

TEST(ApplyEdits, OverlapIsAnErrorThatNamesTheLines) {
  const std::vector<TextEdit> edits = {{{0, 3}, "x"}, {{2, 5}, "y"}};
  const auto result = apply_edits("a\nb\nc\n", edits);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(), testing::HasSubstr("line 1 and line 2"));
}

TEST(ApplyEdits, TwoInsertionsAtOnePlaceConflictButEqualOnesCountOnce) {
  EXPECT_FALSE(apply_edits("ab", std::vector<TextEdit>{{{1, 1}, "x"}, {{1, 1}, "y"}}));
  EXPECT_EQ(apply_edits("ab", std::vector<TextEdit>{{{1, 1}, "x"}, {{1, 1}, "x"}}).value(), "axb");
}

TEST(ApplyEdits, InsertionAtTheEdgeOfAReplacementIsFine) {
  EXPECT_EQ(apply_edits("abc", std::vector<TextEdit>{{{1, 2}, "X"}, {{2, 2}, "Y"}}).value(),
            "aXYc");
  EXPECT_EQ(apply_edits("abc", std::vector<TextEdit>{{{1, 2}, "X"}, {{1, 1}, "Y"}}).value(),
            "aYXc");
}

TEST(ApplyEdits, SpanOutsideTheTextIsAnError) {
  EXPECT_FALSE(apply_edits("abc", std::vector<TextEdit>{{{2, 9}, ""}}));
}

TEST(UnifiedDiff, EqualTextsGiveNothing) {
  EXPECT_EQ(unified_diff("f", "a\nb\n", "a\nb\n"), "");
}

TEST(UnifiedDiff, ShowsContextAndMissingFinalNewline) {
  EXPECT_EQ(unified_diff("f.cu", "1\n2\n3\n4\n5\n6\n7\n8\n9", "1\n2\n3\n4\nfive\n6\n7\n8\n9"),
            "--- a/f.cu\n+++ b/f.cu\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  EXPECT_EQ(unified_diff("f", "a\n", "a"),
            "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n");
  EXPECT_EQ(unified_diff("f", "", "a\n"), "--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+a\n");
}

// What patch(1) makes of our diff must be the new text, whatever the texts are.
TEST(UnifiedDiff, PatchReproducesTheNewText) {
  if (!find_program("patch")) GTEST_SKIP() << "not run: patch is not installed";
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const auto text = [&](unsigned lines) {
      std::string out;
      for (unsigned i = 0; i < lines; ++i) out += std::string(1, "abcdef"[random() % 6]) + "\n";
      if (random() % 4 == 0 && !out.empty()) out.pop_back();
      return out;
    };
    const std::string before = text(1 + random() % 40);
    const std::string after = text(1 + random() % 40);
    const std::string diff = unified_diff("f", before, after);
    if (diff.empty()) {
      EXPECT_EQ(before, after);
      continue;
    }
    const auto folder = TemporaryDirectory::create().value();
    ASSERT_TRUE(write_file_atomic(folder.path() / "f", before));
    const auto patched =
        run({.argv = {"patch", "-p1", "--silent"}, .directory = folder.path(), .input = diff});
    ASSERT_TRUE(patched && patched->ok()) << patched->out << diff;
    EXPECT_EQ(read_file(folder.path() / "f").value(), after) << diff;
  }
}

}  // namespace
}  // namespace hipwright
