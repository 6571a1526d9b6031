// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hipwright {
namespace {

namespace fs = std::filesystem;

class FileTest : public testing::Test {
 protected:
  TemporaryDirectory folder_ = TemporaryDirectory::create().value();
  fs::path at(const char* name) const { return folder_.path() / name; }
};

TEST_F(FileTest, WritesAndReadsBackAnyBytes) {
  const std::string content("a\0b\r\n\xff", 6);
  ASSERT_TRUE(write_file_atomic(at("f"), content));
  EXPECT_EQ(read_file(at("f")).value(), content);
}

TEST_F(FileTest, ReplacingKeepsPermissionsAndLeavesNoTemporaryFile) {
  ASSERT_TRUE(write_file_atomic(at("tool"), "one", 0755));
  ASSERT_TRUE(write_file_atomic(at("tool"), "two"));
  EXPECT_EQ(fs::status(at("tool")).permissions() & fs::perms::owner_exec, fs::perms::owner_exec);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(FileTest, FollowsSymbolicLinksInsteadOfReplacingThem) {
  ASSERT_TRUE(write_file_atomic(at("real"), "one"));
  fs::create_symlink("real", at("link"));
  ASSERT_TRUE(write_file_atomic(at("link"), "two"));
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(read_file(at("real")).value(), "two");
}

TEST_F(FileTest, FailedWriteLeavesTheOldContent) {
  ASSERT_TRUE(write_file_atomic(at("f"), "old"));
  const pid_t pid = fork();
  if (pid == 0) {
    // A file-size limit makes the write fail in the middle, as a full disk does.
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4, 4};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(write_file_atomic(at("f"), "much longer than the limit") ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_EQ(WEXITSTATUS(status), 0) << "the write was reported as done";
  EXPECT_EQ(read_file(at("f")).value(), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(FileTest, ContentAppearsOnCommit) {
  ASSERT_TRUE(write_file_atomic(at("f"), "old"));
  {
    AtomicFile file = AtomicFile::create(at("f")).value();
    ASSERT_TRUE(file.write("one "));
    AtomicFile moved = std::move(file);
    ASSERT_TRUE(moved.write("two"));
    EXPECT_EQ(read_file(at("f")).value(), "old");
    ASSERT_TRUE(moved.commit());
    EXPECT_EQ(read_file(at("f")).value(), "one two");
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(FileTest, UncommittedContentIsDiscarded) {
  {
    AtomicFile file = AtomicFile::create(at("f")).value();
    ASSERT_TRUE(file.write("half"));
  }
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(FileTest, MapsBytesWithoutReadingThem) {
  const std::string content("a\0b", 3);
  ASSERT_TRUE(write_file_atomic(at("f"), content));
  MappedFile file = MappedFile::open(at("f")).value();
  // The old content stays mapped when the file is replaced.
  ASSERT_TRUE(write_file_atomic(at("f"), ""));
  const MappedFile moved = std::move(file);
  EXPECT_EQ(moved.bytes(), content);
  EXPECT_EQ(MappedFile::open(at("f")).value().bytes(), "");
  EXPECT_FALSE(MappedFile::open(at("none")));
  EXPECT_FALSE(MappedFile::open(folder_.path()));
  EXPECT_FALSE(MappedFile::open("/dev/null"));
}

TEST_F(FileTest, ErrorsNameThePathAndTheReason) {
  const auto missing = read_file(at("none"));
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message(),
              testing::AllOf(testing::HasSubstr("none"), testing::HasSubstr("No such file")));
  EXPECT_FALSE(read_file(folder_.path()));
  EXPECT_FALSE(write_file_atomic(at("no/such/folder/f"), "x"));
  EXPECT_FALSE(write_file_atomic(folder_.path(), "x"));
}

TEST_F(FileTest, CanWriteAgreesWithWritingAndLeavesNothing) {
  EXPECT_TRUE(can_write(at("new")));
  ASSERT_TRUE(write_file_atomic(at("old"), "content"));
  EXPECT_TRUE(can_write(at("old")));
  EXPECT_EQ(*read_file(at("old")), "content");
  EXPECT_EQ(std::ranges::distance(fs::directory_iterator(folder_.path())), 1);
  for (const fs::path& path : {at("no/such/folder/f"), at("old/f"), folder_.path()}) {
    const Status writable = can_write(path);
    ASSERT_FALSE(writable) << path;
    EXPECT_EQ(writable.error().message(), write_file_atomic(path, "x").error().message());
  }
}

TEST(IsInDirectory, ComparesNamesOfThePathNotLetters) {
  EXPECT_TRUE(is_in_directory("/a/b/c", "/a/b"));
  EXPECT_TRUE(is_in_directory("/a/b", "/a/b"));
  EXPECT_TRUE(is_in_directory("/a/b/c", "/a/b/"));
  EXPECT_FALSE(is_in_directory("/a/bc", "/a/b"));
  EXPECT_FALSE(is_in_directory("/a", "/a/b"));
}

TEST_F(FileTest, PrivateDirectoryIsOwnerOnlyAndRejectsSharedOnes) {
  ASSERT_TRUE(make_private_directory(at("a/b")));
  struct stat info {};
  ASSERT_EQ(::stat(at("a/b").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);
  ASSERT_EQ(::chmod(at("a/b").c_str(), 0777), 0);
  EXPECT_FALSE(make_private_directory(at("a/b")));
  ASSERT_TRUE(write_file_atomic(at("file"), ""));
  EXPECT_FALSE(make_private_directory(at("file")));
}

TEST_F(FileTest, LockExcludesOtherProcessesUntilItsHolderExits) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t pid = fork();
  if (pid == 0) {
    const auto lock = FileLock::acquire(at("lock"));
    [[maybe_unused]] const ssize_t told = write(ready[1], "x", 1);
    pause();
  }
  char byte;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  kill(pid, SIGKILL);  // no chance to unlock
  waitpid(pid, nullptr, 0);
  EXPECT_TRUE(FileLock::acquire(at("lock")));
}

TEST(UserCacheDirectory, FollowsXdgAndIgnoresRelativeValues) {
  const char* saved = std::getenv("XDG_CACHE_HOME");
  const std::string before = saved == nullptr ? "" : saved;
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(user_cache_directory().value(), "/somewhere/hipwright");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_THAT(user_cache_directory().value().string(), testing::EndsWith("/.cache/hipwright"));
  if (saved == nullptr)
    unsetenv("XDG_CACHE_HOME");
  else
    setenv("XDG_CACHE_HOME", before.c_str(), 1);
}

}  // namespace
}  // namespace hipwright
