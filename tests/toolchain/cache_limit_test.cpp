// SPDX-License-Identifier: MIT
// The size bound, and folders in which the cache cannot work.
#include <sys/mount.h>
#include <sys/resource.h>

#include <csignal>

#include "toolchain/cache_fixture.h"

namespace hipwright::toolchain {
namespace {

using std::chrono::hours;

std::uint64_t bytes_in(const std::vector<fs::path>& files) {
  std::uint64_t bytes = 0;
  for (const fs::path& file : files) bytes += fs::file_size(file);
  return bytes;
}

// Compiles several kernels, all right, with one warning in total.
void expect_works_uncached(const CacheOptions& options, std::vector<Error>& warnings) {
  KernelCache cache(options);
  int compiles = 0;
  for (int i = 0; i < 4; ++i) {
    const std::string payload = std::string(100'000, 'a') + std::to_string(i);
    const auto kernel =
        cache.get_or_compile(request_for(std::to_string(i)), [&]() -> Result<Compiled> {
          ++compiles;
          return Compiled{.payload = payload};
        });
    ASSERT_TRUE(kernel);
    EXPECT_EQ((*kernel)->payload(), payload);
  }
  EXPECT_EQ(compiles, 4);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].what, "cannot use the kernel cache");
  EXPECT_EQ(warnings[0].on, options.directory);
  EXPECT_FALSE(warnings[0].why.empty());
}

TEST_F(CacheTest, TheFolderStaysBelowItsBound) {
  CacheOptions small = options();
  small.disk_bytes = 256 << 10;
  KernelCache cache(small);
  product.payload = std::string(20'000, 'p');
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(cache.get_or_compile(request_for(std::to_string(i)), compiler()));
    EXPECT_LE(bytes_in(files_in(root())), small.disk_bytes) << i;
    EXPECT_LE(cache.disk_use().bytes, small.disk_bytes) << i;
    EXPECT_EQ(cache.statistics().stored, static_cast<std::uint64_t>(i + 1));
    ASSERT_TRUE(ask_anew(request_for(std::to_string(i))));
    EXPECT_EQ(last.disk_hits, 1u) << "the newest entry is never the one that goes";
  }
  EXPECT_GT(cache.statistics().evicted, 0u);
  EXPECT_GE(cache.disk_use().entries, 4u) << "it does not empty the cache either";
}

TEST_F(CacheTest, WhatWasUsedLeastRecentlyGoesFirst) {
  product.payload = std::string(20'000, 'p');
  for (const char* source : {"a", "b", "c"}) {
    ASSERT_TRUE(ask_anew(request_for(source)));
    for (const fs::path& file : files_in(root()))  // the older, the longer ago
      fs::last_write_time(file, fs::last_write_time(file) - hours(24));
  }
  ASSERT_TRUE(ask_anew(request_for("a")));  // a hit renews it
  EXPECT_EQ(last.disk_hits, 1u);

  CacheOptions small = options();
  small.disk_bytes = 90'000;  // room for three
  KernelCache cache(small);
  ASSERT_TRUE(cache.get_or_compile(request_for("d"), compiler()));
  compiles = 0;
  for (const char* source : {"a", "c", "d"}) ASSERT_TRUE(ask_anew(request_for(source))) << source;
  EXPECT_EQ(compiles, 0);
  ASSERT_TRUE(ask_anew(request_for("b")));
  EXPECT_EQ(compiles, 1);
}

TEST_F(CacheTest, AKernelLargerThanTheBoundLivesInMemoryOnly) {
  CacheOptions small = options();
  small.disk_bytes = 64 << 10;
  KernelCache cache(small);
  ASSERT_TRUE(cache.get_or_compile(request_for("small"), compiler()));
  product.payload = std::string(100'000, 'p');
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(cache.get_or_compile(request_for("large"), compiler()));
  EXPECT_EQ(compiles, 2);
  EXPECT_EQ(cache.statistics().memory_hits, 1u);
  EXPECT_EQ(files_in(entries()).size(), 1u);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(CacheTest, TemporaryFilesOfKilledProcessesAreRemovedInTheEnd) {
  ASSERT_TRUE(ask_anew(request_for("a")));
  const fs::path shard = files_in(entries()).at(0).parent_path();
  const fs::path fresh = shard / ".fresh.1";
  ASSERT_TRUE(write_file_atomic(fresh, "half"));
  const std::vector<fs::path> stale = {shard / ".stale.1", root() / ".usage.1"};
  for (const fs::path& file : stale) {
    ASSERT_TRUE(write_file_atomic(file, "half"));
    fs::last_write_time(file, fs::last_write_time(file) - hours(2));
  }
  fs::remove(root() / "usage");  // brings the full look forward
  ASSERT_TRUE(ask_anew(request_for("b")));
  for (const fs::path& file : stale) EXPECT_FALSE(fs::exists(file)) << file;
  EXPECT_TRUE(fs::exists(fresh)) << "somebody may be writing it";
}

TEST_F(CacheTest, AFileInTheWayMeansOneWarningAndNoCache) {
  ASSERT_TRUE(write_file_atomic(root(), "not a folder"));
  expect_works_uncached(options(), warnings);
}

TEST_F(CacheTest, AFileInTheWayOfAParentMeansOneWarningAndNoCache) {
  ASSERT_TRUE(write_file_atomic(root(), "not a folder"));
  CacheOptions below = options();
  below.directory = root() / "kernels";
  expect_works_uncached(below, warnings);
}

TEST_F(CacheTest, AFolderThatOthersCanWriteToIsNotReadFrom) {
  ASSERT_TRUE(ask_anew(request_for("0")));
  fs::permissions(root(), fs::perms::all);
  expect_works_uncached(options(), warnings);
}

// A process may write no file beyond some size: like a full disk, and needs no privilege.
TEST_F(CacheTest, AWriteThatFailsHalfwayMeansOneWarningAndNoEntry) {
  const pid_t child = start([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{50'000, 50'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    expect_works_uncached(options(), warnings);
    return HasFailure() ? 1 : 0;
  });
  EXPECT_EQ(wait_for(child), 0);
  EXPECT_TRUE(files_in(entries()).empty()) << "not even a temporary file";
}

class MountedCacheTest : public CacheTest {
 protected:
  void mount(const char* settings) {
    fs::create_directory(root());
    if (::mount("none", root().c_str(), "tmpfs", MS_NOSUID | MS_NODEV, settings) != 0)
      GTEST_SKIP() << "not run: mounting needs privileges: " << errno_text(errno);
    mounted_ = true;
  }
  void TearDown() override {
    if (mounted_) ::umount2(root().c_str(), MNT_DETACH);
  }
  bool mounted_ = false;
};

TEST_F(MountedCacheTest, AFullDiskMeansOneWarningAndNoCache) {
  mount("size=64k,mode=700");
  if (IsSkipped()) return;
  expect_works_uncached(options(), warnings);
  EXPECT_TRUE(files_in(entries()).empty()) << "not even a temporary file";
  // Small kernels still fit: a full disk is no reason to give up for good.
  ASSERT_TRUE(ask_anew(request_for("small")));
  ASSERT_TRUE(ask_anew(request_for("small")));
  EXPECT_EQ(last.disk_hits, 1u);
}

TEST_F(MountedCacheTest, AReadOnlyFolderStillAnswersFromWhatItHas) {
  mount("size=4m,mode=700");
  if (IsSkipped()) return;
  ASSERT_TRUE(ask_anew(request_for("a")));
  ASSERT_EQ(::mount("none", root().c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "mode=700"), 0);
  ASSERT_TRUE(ask_anew(request_for("a")));
  EXPECT_EQ(last.disk_hits, 1u);
  EXPECT_TRUE(warnings.empty());
  expect_works_uncached(options(), warnings);
}

}  // namespace
}  // namespace hipwright::toolchain
