// SPDX-License-Identifier: MIT
// No damage to a cache file ever reaches a caller: it is found, set aside, and compiled away.
#include <map>

#include "toolchain/cache/manifest.h"
#include "toolchain/cache/record.h"
#include "toolchain/cache_fixture.h"

namespace hipwright::toolchain {
namespace {

class CacheDamageTest : public CacheTest, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    product.includes = {write_header("a.h", "1")};
    ASSERT_TRUE(ask_anew(request));
    file = files_in(root() / GetParam()).at(0);
    good = *read_file(file);
  }

  // The damaged file is found once, kept aside as it was, and replaced by a good one.
  void expect_repaired(const std::string& damaged, const std::string& what) {
    fs::remove_all(quarantine());
    ASSERT_TRUE(write_file_atomic(file, damaged, 0600, Durability::kProcessDeath));
    const int before = compiles;
    const auto kernel = ask_anew(request);
    ASSERT_TRUE(kernel) << what;
    EXPECT_EQ((*kernel)->payload(), "code object") << what;
    EXPECT_EQ((*kernel)->log(), "one warning") << what;
    EXPECT_EQ(compiles, before + 1) << what;
    EXPECT_EQ(last.quarantined, 1u) << what;
    ASSERT_EQ(files_in(quarantine()).size(), 1u) << what;
    EXPECT_EQ(*read_file(files_in(quarantine())[0]), damaged) << what;

    ASSERT_TRUE(ask_anew(request));
    EXPECT_EQ(last.disk_hits, 1u) << what;
  }

  const CacheRequest request = request_for("a");
  fs::path file;
  std::string good;
};

TEST_P(CacheDamageTest, AFlippedBitAnywhereIsFound) {
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    expect_repaired(damaged, "byte " + std::to_string(at));
    if (HasFailure()) return;
  }
}

// A link could lead to a file that is then written or believed; a pipe would never end.
TEST_P(CacheDamageTest, WhatIsNoFileIsReplacedAndNotFollowed) {
  const fs::path outside = folder_.path() / "outside";
  const std::map<std::string, std::function<void()>> kinds = {
      {"link to a good one",
       [&] {
         ASSERT_TRUE(write_file_atomic(outside, good));
         fs::create_symlink(outside, file);
       }},
      {"pipe", [&] { ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0); }},
      {"device", [&] { fs::create_symlink("/dev/zero", file); }}};
  for (const auto& [kind, make] : kinds) {
    fs::remove(file);
    make();
    const int before = compiles;
    const auto kernel = ask_anew(request);
    ASSERT_TRUE(kernel) << kind;
    EXPECT_EQ((*kernel)->payload(), "code object") << kind;
    EXPECT_EQ(compiles, before + 1) << kind;
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(file))) << kind;
    ASSERT_TRUE(ask_anew(request));
    EXPECT_EQ(last.disk_hits, 1U) << kind;
  }
  EXPECT_EQ(*read_file(outside), good);
}

TEST_P(CacheDamageTest, LinkedFoldersAreNotUsed) {
  for (const bool is_shard : {false, true}) {
    const fs::path folder = is_shard ? file.parent_path() : root() / GetParam();
    const fs::path moved = folder_.path() / (is_shard ? "moved-shard" : "moved");
    fs::rename(folder, moved);
    fs::create_directory_symlink(moved, folder);
    const auto before = files_in(moved);
    warnings.clear();
    const int compiled = compiles;
    ASSERT_TRUE(ask_anew(request));
    EXPECT_EQ(compiles, compiled + 1);
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_NE(warnings[0].why.find("symbolic link"), std::string::npos) << warnings[0].why;
    EXPECT_EQ(files_in(moved), before);
    fs::remove(folder);
    fs::rename(moved, folder);
  }
}

TEST_P(CacheDamageTest, AShorterOrLongerFileIsFound) {
  for (std::size_t size = 0; size < good.size(); size += size < 64 ? 1 : 29) {
    expect_repaired(good.substr(0, size), "cut to " + std::to_string(size));
    if (HasFailure()) return;
  }
  expect_repaired(good + '\0', "one byte more");
  expect_repaired(good + good, "twice");
}

INSTANTIATE_TEST_SUITE_P(Files, CacheDamageTest, testing::Values("entries", "manifests"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST_F(CacheTest, AFileOfAnotherKindOrVersionIsNotOpened) {
  const std::string sealed = seal_record(RecordKind::kManifest, "body");
  EXPECT_EQ(*open_record(RecordKind::kManifest, sealed), "body");
  EXPECT_FALSE(open_record(RecordKind::kEntry, sealed));
}

// A valid digest over nonsense: fields must still be checked.
TEST_F(CacheTest, FieldsThatDoNotFillTheirRecordAreRefused) {
  ByteWriter entry;
  entry.real(1.0);
  entry.text("key");
  entry.text("log");
  const std::string prefix(entry.view());
  const auto open_entry = [&](const std::string& rest) {
    return CachedKernel::open(seal_record(RecordKind::kEntry, prefix + rest)).has_value();
  };
  const std::string empty_text(8, '\0');
  EXPECT_TRUE(open_entry(empty_text));
  EXPECT_FALSE(open_entry(""));
  EXPECT_FALSE(open_entry(empty_text + "x"));
  EXPECT_FALSE(open_entry(std::string(8, '\xff')));

  ByteWriter manifest;
  manifest.u64(1ull << 60);  // alternatives
  EXPECT_FALSE(decode_manifest(seal_record(RecordKind::kManifest, manifest.view())));
}

TEST_F(CacheTest, QuarantineKeepsOnlyTheNewestFiles) {
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(ask_anew(request_for("a")));
    ASSERT_TRUE(write_file_atomic(files_in(entries()).at(0), "garbage"));
  }
  EXPECT_EQ(compiles, 20);
  EXPECT_EQ(files_in(quarantine()).size(), 8u);
}

TEST_F(CacheTest, AUsageFileThatIsALinkIsNotWrittenThrough) {
  ASSERT_TRUE(ask_anew(request_for("a")));
  const fs::path mine = folder_.path() / "mine";
  ASSERT_TRUE(write_file_atomic(mine, "my own"));
  fs::remove(root() / "usage");
  fs::create_symlink(mine, root() / "usage");
  ASSERT_TRUE(ask_anew(request_for("b")));
  EXPECT_EQ(*read_file(mine), "my own");
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(root() / "usage")));
}

TEST_F(CacheTest, ADamagedUsageFileIsCountedAnew) {
  ASSERT_TRUE(ask_anew(request_for("a")));
  ASSERT_TRUE(write_file_atomic(root() / "usage", "garbage"));
  ASSERT_TRUE(ask_anew(request_for("b")));
  EXPECT_TRUE(warnings.empty());
  EXPECT_TRUE(open_record(RecordKind::kUsage, *read_file(root() / "usage")));
}

}  // namespace
}  // namespace hipwright::toolchain
