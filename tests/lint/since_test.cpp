// SPDX-License-Identifier: MIT
#include "lint/since.h"

#include <gmock/gmock.h>

namespace hipwright::lint {
namespace {

using testing::HasSubstr;

ChangedLines changes(std::string_view diff) {
  auto read = parse_changes(diff);
  EXPECT_TRUE(read) << read.error().message();
  return read ? *read : ChangedLines();
}

TEST(Since, AddedAndChangedLinesCount) {
  const ChangedLines changed = changes(
      "diff --git a.cu a.cu\n--- a.cu\n+++ a.cu\n@@ -3 +3,2 @@ int f() {\n-int b;\n+int c;\n+int "
      "d;\n"
      "@@ -9,0 +11 @@\n+int last;\n");
  EXPECT_FALSE(changed.touches("a.cu", 2, 2));
  EXPECT_TRUE(changed.touches("a.cu", 3, 3));
  EXPECT_TRUE(changed.touches("a.cu", 4, 4));
  EXPECT_FALSE(changed.touches("a.cu", 5, 10));
  EXPECT_TRUE(changed.touches("a.cu", 10, 12));  // one of its lines changed
  EXPECT_FALSE(changed.touches("b.cu", 3, 3));
}

TEST(Since, MovedLinesDoNotCount) {
  const ChangedLines changed = changes(
      "diff --git a.py a.py\n--- a.py\n+++ a.py\n@@ -2 +1,0 @@\n-x = 1\n@@ -7,0 +7,3 @@\n+    x = "
      "1\n"
      "+x = 1\n+y = 2\n"
      "diff --git b.py b.py\n--- b.py\n+++ b.py\n@@ -1 +0,0 @@\n-y = 2\n");
  EXPECT_FALSE(changed.touches("a.py", 7, 7));  // indented by its new block
  EXPECT_TRUE(changed.touches("a.py", 8, 8));   // removed once, added twice
  EXPECT_FALSE(changed.touches("a.py", 9, 9));  // from another file
}

TEST(Since, NewFilesAndRemovedFiles) {
  const ChangedLines changed = changes(
      "diff --git new.py new.py\nnew file mode 100644\n--- /dev/null\n+++ new.py\n@@ -0,0 +1,2 "
      "@@\n+a\n+b\n"
      "\\ No newline at end of file\n"
      "diff --git old.py old.py\ndeleted file mode 100644\n--- old.py\n+++ /dev/null\n@@ -1 +0,0 "
      "@@\n-c\n"
      "diff --git x.bin x.bin\nBinary files x.bin and x.bin differ\n");
  EXPECT_TRUE(changed.touches("new.py", 2, 2));
  EXPECT_FALSE(changed.touches("old.py", 1, 1));
}

TEST(Since, LinesThatLookLikeHeadersAreText) {
  const ChangedLines changed = changes(
      "diff --git a.py a.py\n--- a.py\n+++ a.py\n@@ -1 +1,2 @@\n--- old comment\n++++ b\n+x\n");
  EXPECT_TRUE(changed.touches("a.py", 1, 2));
  EXPECT_EQ(changed.files.size(), 1U);
}

TEST(Since, QuotedNames) {
  const ChangedLines changed = changes(
      "diff --git \"p\\303\\244th \\\"x\\\".py\" \"…\"\n--- a\n+++ \"p\\303\\244th \\\"x\\\".py\"\n"
      "@@ -0,0 +1 @@\n+x\n"
      "diff --git with blank.py with blank.py\n--- with blank.py\t\n+++ with blank.py\t\n@@ -1 +1 "
      "@@\n-a\n+b\n");
  EXPECT_TRUE(changed.touches("p\303\244th \"x\".py", 1, 1));
  EXPECT_TRUE(changed.touches("with blank.py", 1, 1));
}

TEST(Since, ABrokenHunkIsAnError) {
  for (const char* header :
       {"@@ nothing @@", "@@ -1 +x @@", "@@ -1 +99999999999 @@", "@@ -1 +1,y @@"}) {
    const auto read = parse_changes(std::string("+++ a\n") + header + "\n+x\n");
    ASSERT_FALSE(read) << header;
    EXPECT_THAT(read.error().message(), HasSubstr(header));
  }
}

}  // namespace
}  // namespace hipwright::lint
