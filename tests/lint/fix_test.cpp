// SPDX-License-Identifier: MIT
#include "lint/fix.h"

#include <sys/stat.h>

#include <gmock/gmock.h>

#include "lint/tree.h"
#include "syntax/text.h"

namespace hipwright::lint {
namespace {

using testing::HasSubstr;

Finding finding(std::vector<TextEdit> edits, bool safe = true) {
  Finding made;
  made.fixes.push_back({.description = "fix", .safe = safe, .edits = std::move(edits)});
  return made;
}

TEST(ApplyFixes, TheFirstOfTwoThatOverlapWins) {
  const std::vector<Finding> findings = {finding({{{0, 3}, "X"}}), finding({{{2, 4}, "Y"}}),
                                         finding({{{4, 5}, "Z"}})};
  const FixedText fixed = apply_fixes("abcdef", findings, FixKind::kSafe);
  EXPECT_EQ(fixed.text, "XdZf");
  EXPECT_EQ(fixed.applied, 2U);
  EXPECT_EQ(fixed.postponed, 1U);
}

TEST(ApplyFixes, AFixOfSeveralEditsIsAppliedWholeOrNotAtAll) {
  const std::vector<Finding> findings = {finding({{{2, 3}, "X"}}),
                                         finding({{{0, 1}, "Y"}, {{2, 3}, "Z"}})};
  EXPECT_EQ(apply_fixes("abc", findings, FixKind::kSafe).text, "abX");
}

TEST(ApplyFixes, TwoFindingsCanShareAnEdit) {
  const std::vector<Finding> findings = {finding({{{0, 0}, "#include <x>\n"}, {{0, 1}, "1"}}),
                                         finding({{{0, 0}, "#include <x>\n"}, {{1, 2}, "2"}})};
  const FixedText fixed = apply_fixes("ab", findings, FixKind::kSafe);
  EXPECT_EQ(fixed.text, "#include <x>\n12");
  EXPECT_EQ(fixed.applied, 2U);
}

TEST(ApplyFixes, UnsafeFixesAreOptIn) {
  const std::vector<Finding> findings = {finding({{{0, 1}, "X"}}, false)};
  EXPECT_EQ(apply_fixes("a", findings, FixKind::kSafe).text, "a");
  EXPECT_EQ(apply_fixes("a", findings, FixKind::kUnsafe).text, "X");
}

class FixTree : public TreeTest {};

TEST_F(FixTree, ComputesFixesWithoutWriting) {
  file("a.cu", kBad);
  const auto fixed = fix(options(), FixKind::kUnsafe);
  ASSERT_TRUE(fixed) << fixed.error().message();
  ASSERT_EQ(fixed->files.size(), 1U);
  EXPECT_EQ(fixed->files[0].before, kBad);
  EXPECT_THAT(fixed->files[0].after, HasSubstr("#define WARP_SIZE 64"));
  EXPECT_TRUE(fixed->left.findings.empty());
  EXPECT_EQ(*read_file(root() / "a.cu"), kBad);
}

TEST_F(FixTree, KeepsTheEncodingAndThePermissions) {
  const std::string text = "int x;  // hipwright: ignore[HW101] \xC3\xA4\n";
  for (const auto encoding : {syntax::Encoding::kUtf16Le, syntax::Encoding::kUtf16Be,
                              syntax::Encoding::kUtf8Bom, syntax::Encoding::kUtf8}) {
    file("a.cu", syntax::encode(text, encoding));
    ::chmod((root() / "a.cu").c_str(), 0750);
    const auto fixed = fix(options(), FixKind::kSafe);
    ASSERT_TRUE(fixed) << fixed.error().message();
    ASSERT_TRUE(write_fixes(options(), *fixed));
    EXPECT_EQ(*read_file(root() / "a.cu"), syntax::encode("int x;\n", encoding));
    struct stat info {};
    ASSERT_EQ(::stat((root() / "a.cu").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0750U);
  }
}

TEST_F(FixTree, DoesNotOverwriteWhatChangedMeanwhile) {
  file("a.cu", kBad);
  const auto fixed = fix(options(), FixKind::kUnsafe);
  ASSERT_TRUE(fixed);
  file("a.cu", "int other;\n");
  const Status written = write_fixes(options(), *fixed);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message(), HasSubstr("changed while it was being fixed"));
  EXPECT_EQ(*read_file(root() / "a.cu"), "int other;\n");
}

}  // namespace
}  // namespace hipwright::lint
