// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <future>
#include <optional>

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

TEST_F(FileTest, ReadsRegularFilesOnly) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", at("device"));
  fs::create_symlink("pipe", at("link"));
  for (const char* name : {"pipe", "device", "link"}) {
    EXPECT_EQ(read_file(at(name)).error().why, "not a regular file") << name;
    EXPECT_FALSE(MappedFile::open(at(name))) << name;
    EXPECT_EQ(write_file_atomic(at(name), "x").error().why, "not a regular file") << name;
  }
  EXPECT_FALSE(read_file("/proc/self/status").value().empty());
}

TEST_F(FileTest, ReadsNoMoreThanTheBound) {
  ASSERT_TRUE(write_file_atomic(at("f"), std::string((1 << 20) + 1, 'x')));
  EXPECT_TRUE(read_file(at("f"), (1 << 20) + 1));
  EXPECT_EQ(read_file(at("f"), 1 << 20).error().why, "larger than 1 MiB");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  ASSERT_EQ(truncate(at("f").c_str(), off_t{1} << 39), 0);
  const pid_t pid = fork();
  if (pid == 0) {
    const rlimit limit{1UL << 33, 1UL << 33};
    setrlimit(RLIMIT_AS, &limit);
    const auto text = read_file(at("f"));
    _exit(!text && text.error().why == errno_text(ENOMEM) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
#endif
}

TEST_F(FileTest, RejectsLinksWhereTheyAreNotExpected) {
  ASSERT_TRUE(write_file_atomic(at("real"), "content"));
  fs::create_symlink("real", at("link"));
  EXPECT_EQ(read_file(at("link")).value(), "content");
  EXPECT_FALSE(read_file(at("link"), 100, Links::kReject));
  const int folder = open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY);
  EXPECT_EQ(read_file_at(folder, "real", 100).value(), "content");
  EXPECT_FALSE(read_file_at(folder, "link", 100));
  close(folder);

  ASSERT_TRUE(make_private_directory(at("private")));
  fs::create_directory_symlink("private", at("way"));
  EXPECT_TRUE(make_private_directory(at("way")));
  EXPECT_EQ(make_private_directory(at("way"), Links::kReject).error().why, "it is a symbolic link");
}

TEST_F(FileTest, ReadsPipesThatTheUserNames) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  const pid_t pid = fork();
  if (pid == 0) {
    const int pipe = open(at("pipe").c_str(), O_WRONLY);
    _exit(::write(pipe, "said", 4) == 4 ? 0 : 1);
  }
  EXPECT_EQ(read_input(at("pipe")).value(), "said");
  waitpid(pid, nullptr, 0);
  EXPECT_EQ(read_input("/dev/zero").error().why, "larger than 256 MiB");
}

TEST_F(FileTest, RemovesTreesWhosePermissionsWereTaken) {
  fs::create_directories(at("a") / "b" / "c");
  ASSERT_TRUE(write_file_atomic(at("a") / "b" / "f", "x"));
  fs::permissions(at("a") / "b", fs::perms::none);
  fs::permissions(at("a"), fs::perms::none);
  remove_tree(at("a"));
  EXPECT_FALSE(fs::exists(fs::symlink_status(at("a"))));
}

TEST_F(FileTest, RemovesTreesWithOneDescriptorLeft) {
  fs::create_directories(at("a") / "b" / "c" / "d" / "e");
  ASSERT_TRUE(write_file_atomic(at("a") / "b" / "c" / "f", "x"));
  const pid_t pid = fork();
  if (pid == 0) {
    const int next = open("/dev/null", O_RDONLY);
    close(next);
    const rlim_t most = static_cast<rlim_t>(next) + 1;
    const rlimit limit{most, most};
    setrlimit(RLIMIT_NOFILE, &limit);
    remove_tree(at("a"));
    _exit(0);
  }
  waitpid(pid, nullptr, 0);
  EXPECT_FALSE(fs::exists(at("a")));
}

TEST_F(FileTest, OnlyStaleTemporaryDirectoriesOfThisUserAreSwept) {
  const fs::path out = at("out");
  std::optional<TemporaryDirectory> used = TemporaryDirectory::create_beside(out).value();
  const std::string prefix = ".out.hipwright-tmp-";
  EXPECT_TRUE(used->path().filename().string().starts_with(prefix));
  const fs::path stale = at((prefix + "aaaaaaaa").c_str());
  const fs::path shared = at((prefix + "bbbbbbbb").c_str());
  const fs::path other = at((prefix + "longer-name").c_str());
  const fs::path link = at((prefix + "cccccccc").c_str());
  for (const fs::path& each : {stale, shared, other}) {
    fs::create_directories(each / "in");
    fs::permissions(each, fs::perms::owner_all);
  }
  fs::permissions(shared, fs::perms::all);
  fs::create_directory_symlink(other, link);

  const TemporaryDirectory second = TemporaryDirectory::create_beside(out).value();
  EXPECT_FALSE(fs::exists(stale));
  for (const fs::path& each : {used->path(), second.path(), shared, other / "in", link})
    EXPECT_TRUE(fs::exists(each)) << each;
  const fs::path was = used->path();
  used.reset();
  EXPECT_FALSE(fs::exists(was));
}

// A new directory is not yet locked for a moment.
TEST_F(FileTest, NewTemporaryDirectoriesAreNotSwept) {
  const auto create_many = [&] {
    unsigned lost = 0;
    for (int i = 0; i < 400; ++i) {
      // Sweeps first.
      const auto made = TemporaryDirectory::create_beside(at("out"));
      if (!made || !write_file_atomic(made->path() / "a", "a")) ++lost;
    }
    return lost;
  };
  auto first = std::async(std::launch::async, create_many);
  auto second = std::async(std::launch::async, create_many);
  EXPECT_EQ(first.get() + second.get(), 0U);
}

TEST_F(FileTest, ReleasedDirectoriesStay) {
  fs::path path;
  {
    TemporaryDirectory made = TemporaryDirectory::create_beside(at("out")).value();
    path = made.path();
    made.release();
  }
  EXPECT_TRUE(fs::exists(path));
}

TEST(IsInDirectory, ComparesNamesOfThePathNotLetters) {
  EXPECT_TRUE(is_in_directory("/a/b/c", "/a/b"));
  EXPECT_TRUE(is_in_directory("/a/b", "/a/b"));
  EXPECT_TRUE(is_in_directory("/a/b/c", "/a/b/"));
  EXPECT_FALSE(is_in_directory("/a/bc", "/a/b"));
  EXPECT_FALSE(is_in_directory("/a", "/a/b"));
}

TEST_F(FileTest, PrivateDirectoryIsOwnerOnlyAndRejectsSharedOnes) {
  const mode_t usual = umask(0);
  ASSERT_TRUE(make_private_directory(at("a/b")));
  umask(usual);
  struct stat info {};
  for (const char* each : {"a", "a/b"}) {  // whoever may write to "a" can exchange "a/b"
    ASSERT_EQ(::stat(at(each).c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700U) << each;
  }
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
