// SPDX-License-Identifier: MIT
#include "project/walk.h"

#include <sys/stat.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include "project/folder.h"
#include "project/ignore.h"
#include "project/root.h"

namespace hipwright::project {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Walk : public FolderTest {
 protected:
  WalkResult walked(std::vector<fs::path> paths = {}, std::string_view exclude = "") {
    auto result = walk({.root = root(),
                        .paths = std::move(paths),
                        .excludes =
                            [&](std::string_view path, bool is_folder) {
                              return IgnorePatterns(exclude).ignores(path, is_folder);
                            },
                        .wants = [](std::string_view path) { return !path.ends_with(".o"); }});
    EXPECT_TRUE(result) << result.error().message();
    return result ? *result : WalkResult{};
  }
};

TEST_F(Walk, ListsMatchingFilesInOrder) {
  file("b.cu");
  file("a/z.py");
  file("a/b/c.py");
  file("a.o");
  EXPECT_THAT(walked().files, ElementsAre("a/b/c.py", "a/z.py", "b.cu"));
}

TEST_F(Walk, SkipsFilesThatGitIgnores) {
  file(".gitignore", "/build\n*.tmp.py\n");
  file("build/x.py");
  file("src/build/x.py");
  file("src/a.tmp.py");
  file("src/.gitignore", "gen_*.py\n!a.tmp.py\n");
  file("src/gen_1.py");
  file("other/gen_1.py");
  EXPECT_THAT(walked().files, ElementsAre(".gitignore", "other/gen_1.py", "src/.gitignore",
                                          "src/a.tmp.py", "src/build/x.py"));
}

TEST_F(Walk, AppliesPatternsOfParentDirectories) {
  file(".git/info/exclude", "mine.py\n");
  file(".gitignore", "/src/gen/\n*.log.py\n");
  file("src/gen/x.py");
  file("src/a.py");
  file("src/mine.py");
  file("src/a.log.py");
  EXPECT_THAT(walked({"src"}).files, ElementsAre("src/a.py"));
  // Named outright: the user's word counts.
  EXPECT_THAT(walked({"src/gen", "src/a.log.py"}).files,
              ElementsAre("src/a.log.py", "src/gen/x.py"));
}

TEST_F(Walk, AppliesExcludePatterns) {
  file("third_party/x.py");
  file("a.py");
  EXPECT_THAT(walked({}, "third_party/").files, ElementsAre("a.py"));
  EXPECT_THAT(walked({"a.py"}, "a.py").files, ElementsAre());
}

// pre-commit names every file.
TEST_F(Walk, NamedFilesInAnExcludedDirectoryAreExcluded) {
  file("src/third_party/deep/x.py");
  file("src/a.py");
  for (const char* name : {"src/third_party/deep/x.py", "src/third_party/deep", "src/third_party"})
    EXPECT_THAT(walked({name, root() / name, "src/a.py"}, "third_party/").files,
                ElementsAre("src/a.py"))
        << name;
}

TEST_F(Walk, PathsAreRelativeToTheRoot) {
  file("here/a.py");
  file("there/b.py");
  const auto found = walk({.root = root() / "here",
                           .paths = {root() / "there", "../there/b.py"},
                           .wants = [](std::string_view) { return true; }});
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_THAT(found->files, ElementsAre("../there/b.py"));
}

TEST_F(Walk, NamesEachFileOnce) {
  file("a/x.py");
  EXPECT_THAT(walked({"a", "a/x.py", "./a/../a/x.py", root() / "a"}).files, ElementsAre("a/x.py"));
}

TEST_F(Walk, LinksAreNotFollowed) {
  file("a/x.py");
  fs::create_directory_symlink("..", root() / "a/loop");
  fs::create_symlink("x.py", root() / "a/y.py");
  fs::create_symlink("self.py", root() / "a/self.py");
  const WalkResult result = walked();
  EXPECT_THAT(result.files, ElementsAre("a/x.py"));
  std::vector<std::string> skipped;
  for (const NotWalked& each : result.skipped) skipped.push_back(each.path + ": " + each.why);
  EXPECT_THAT(skipped, ElementsAre("a/loop: symbolic link: not followed",
                                   "a/self.py: symbolic link: not followed",
                                   "a/y.py: symbolic link: not followed"));
}

TEST_F(Walk, ReportsDirectoriesItCannotOpen) {
  if (::geteuid() == 0) GTEST_SKIP() << "not run: root can open every folder";
  file("a/x.py");
  ::chmod((root() / "a").c_str(), 0);
  const WalkResult result = walked();
  ::chmod((root() / "a").c_str(), 0700);
  ASSERT_EQ(result.skipped.size(), 1U);
  EXPECT_THAT(result.skipped[0].why, HasSubstr("Permission denied"));
}

TEST_F(Walk, ANamedFileThatCannotBeReadIsAnError) {
  if (::geteuid() == 0) GTEST_SKIP() << "not run: root may read everything";
  file("closed.py");
  file("folder/a.py");
  fs::permissions(root() / "closed.py", fs::perms::none);
  fs::permissions(root() / "folder", fs::perms::none);
  EXPECT_FALSE(walk({.root = root(), .paths = {"closed.py"}}));
  EXPECT_FALSE(walk({.root = root(), .paths = {"folder"}}));
  fs::permissions(root() / "folder", fs::perms::owner_all);
}

TEST_F(Walk, PipesAreNotRead) {
  file("a.py");
  ASSERT_EQ(::mkfifo((root() / "pipe.py").c_str(), 0600), 0);
  EXPECT_THAT(walked().files, ElementsAre("a.py"));
}

TEST_F(Walk, AMissingPathIsAnError) {
  const auto result = walk({.root = root(), .paths = {"nowhere"}});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(), HasSubstr("nowhere"));
}

}  // namespace
}  // namespace hipwright::project
