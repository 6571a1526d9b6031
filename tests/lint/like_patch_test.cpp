// SPDX-License-Identifier: MIT
#include "lint/like/patch.h"

#include <gmock/gmock.h>

#include "lint/like/change.h"

namespace hipwright::lint::like {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kTwoFiles =
    "From 1234 Mon Sep 17\nSubject: fix\n---\n a.py | 2 +-\n\n"
    "diff --git a/a.py b/a.py\nindex 1..2 100644\n--- a/a.py\n+++ b/a.py\n"
    "@@ -1,3 +1,3 @@ def f():\n one\n-two\n+TWO\n three\n@@ -9 +9,2 @@\n nine\n+ten\n"
    "diff --git a/old name.cu b/new name.cu\nsimilarity index 90%\nrename from old name.cu\n"
    "rename to new name.cu\n--- a/old name.cu\n+++ b/new name.cu\n@@ -5,2 +5,1 @@\n-five\n six\n"
    "\\ No newline at end of file\n-- \n2.39.0\n";

TEST(Patch, FilesHunksAndRenames) {
  const auto patch = read_patch(kTwoFiles, "p");
  ASSERT_TRUE(patch) << patch.error().message();
  ASSERT_THAT(patch->files, SizeIs(2));
  EXPECT_EQ(patch->files[0].new_path, "a.py");
  ASSERT_THAT(patch->files[0].hunks, SizeIs(2));
  EXPECT_EQ(patch->files[0].hunks[0].lines[2].text, "TWO");
  EXPECT_EQ(patch->files[0].hunks[1].old_line, 9U);
  EXPECT_EQ(patch->files[1].old_path, "old name.cu");
  EXPECT_EQ(patch->files[1].new_path, "new name.cu");
  ASSERT_THAT(patch->files[1].hunks, SizeIs(1));
}

TEST(Patch, WithCarriageReturns) {
  std::string dos;
  for (const char byte : kTwoFiles) dos += byte == '\n' ? "\r\n" : std::string(1, byte);
  const auto patch = read_patch(dos, "p");
  ASSERT_TRUE(patch) << patch.error().message();
  EXPECT_EQ(patch->files[0].hunks[0].lines[0].text, "one");
}

TEST(Patch, NewDeletedBinaryAndQuoted) {
  const auto patch = read_patch(
      "diff --git a/n.py b/n.py\nnew file mode 100644\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 "
      "@@\n+x\n"
      "diff --git a/d.py b/d.py\ndeleted file mode 100644\n--- a/d.py\n+++ /dev/null\n"
      "@@ -1 +0,0 @@\n-x\n"
      "diff --git a/i.png b/i.png\nBinary files a/i.png and b/i.png differ\n"
      "diff --git \"a/\\303\\244.py\" \"b/\\303\\244.py\"\n--- \"a/\\303\\244.py\"\n"
      "+++ \"b/\\303\\244.py\"\n@@ -1 +1 @@\n-x\n+y\n",
      "p");
  ASSERT_TRUE(patch) << patch.error().message();
  ASSERT_THAT(patch->files, SizeIs(4));
  EXPECT_EQ(patch->files[0].old_path, "");
  EXPECT_EQ(patch->files[1].new_path, "");
  EXPECT_TRUE(patch->files[2].is_binary);
  EXPECT_EQ(patch->files[3].new_path, "\xC3\xA4.py");
}

TEST(Patch, InvalidOnesAreRejectedWithTheLine) {
  const struct {
    const char *text, *where, *why;
  } cases[] = {
      {"", "p", "no diff"},
      {"hello\n", "p", "no diff"},
      {"@@ -1 +1 @@\n-a\n+b\n", "p:1", "before the file names"},
      {"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n", "p:5", "ends inside the hunk of line 3"},
      {"--- a/x\n+++ b/x\n@@ -x +1 @@\n", "p:3", "@@ -LINE"},
      {"--- a/x\n+++ b/x\n@@ -1,99999999999 +1 @@\n", "p:3", "@@ -LINE"},
      {"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n*b\n", "p:5", "does not start with"},
      {"--- a/x\n+++ b/x\n@@ -1,1 +1,2 @@\n-a\n-b\n+c\n+d\n", "p:5",
       "does not match the hunk header"},
      {"--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n", "p:3", "merge"},
  };
  for (const auto& each : cases) {
    const auto patch = read_patch(each.text, "p");
    ASSERT_FALSE(patch) << each.text;
    EXPECT_THAT(patch.error().message(), HasSubstr(std::string("'") + each.where + "'"));
    EXPECT_THAT(patch.error().message(), HasSubstr(each.why));
  }
}

ChangedText only_change(const std::string& patch, const std::string& file) {
  const auto read = read_patch(patch, "p");
  EXPECT_TRUE(read);
  auto texts = changed_texts(*read, [&](const std::string&) { return std::optional(file); });
  EXPECT_THAT(texts, SizeIs(1));
  return texts.empty() ? ChangedText{} : texts[0];
}

const std::string kFix = "--- a/x.py\n+++ b/x.py\n@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n";

TEST(Change, TheTreeMayBeBeforeOrAfterThePatch) {
  const ChangedText before = only_change(kFix, "a\nb\nc\nd\ne\n");
  EXPECT_EQ(before.in_tree, TreeSide::kBefore);
  const ChangedText after = only_change(kFix, "a\r\nb\r\nC\r\nd\r\ne");
  EXPECT_EQ(after.in_tree, TreeSide::kAfter);
  for (const ChangedText& text : {before, after}) {
    EXPECT_EQ(text.before, "a\nb\nc\nd\ne\n");
    EXPECT_EQ(text.after, "a\nb\nC\nd\ne\n");
    ASSERT_THAT(text.runs, SizeIs(1));
    EXPECT_EQ(text.runs[0].before.begin, 3U);
    EXPECT_EQ(text.runs[0].before.end, 4U);
  }
}

TEST(Change, LinesMayHaveMoved) {
  const ChangedText text = only_change(kFix, "new\nnew\na\nb\nc\nd\n");
  EXPECT_EQ(text.in_tree, TreeSide::kBefore);
  EXPECT_EQ(text.runs[0].before.begin, 5U);
}

TEST(Change, UnrelatedTextIsUnchanged) {
  const ChangedText text = only_change(kFix, "nothing\nof\nit\n");
  EXPECT_EQ(text.in_tree, TreeSide::kNeither);
  EXPECT_EQ(text.before, "b\nc\nd\n");
  EXPECT_EQ(text.first_line, 2U);
}

TEST(Change, NewFilesHaveNoBug) {
  const auto read = read_patch("--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+x = 1\n", "p");
  ASSERT_TRUE(read);
  EXPECT_THAT(changed_texts(*read, [](const std::string&) { return std::nullopt; }), IsEmpty());
}

}  // namespace
}  // namespace hipwright::lint::like
