// SPDX-License-Identifier: MIT
// What a caller of the kernel cache sees: hits, misses, keys, statistics, clearing.
#include "toolchain/cache_fixture.h"

namespace hipwright::toolchain {
namespace {

TEST_F(CacheTest, TheSecondRequestIsAnsweredFromMemory) {
  KernelCache cache(options());
  const auto first = cache.get_or_compile(request_for("a"), compiler());
  const auto second = cache.get_or_compile(request_for("a"), compiler());
  ASSERT_TRUE(first && second);
  EXPECT_EQ((*second)->payload(), "code object");
  EXPECT_EQ((*second)->log(), "one warning");
  EXPECT_EQ(compiles, 1);
  EXPECT_EQ(cache.statistics().memory_hits, 1u);
}

TEST_F(CacheTest, AnotherProcessIsAnsweredFromDisk) {
  ASSERT_TRUE(ask_anew(request_for("a")));
  const auto kernel = ask_anew(request_for("a"));
  ASSERT_TRUE(kernel);
  EXPECT_EQ((*kernel)->payload(), "code object");
  EXPECT_EQ((*kernel)->log(), "one warning");
  EXPECT_EQ(compiles, 1);
  EXPECT_EQ(last.disk_hits, 1u);
}

TEST_F(CacheTest, PayloadsOfAnyBytesComeBackAsTheyWere) {
  for (const std::string& payload : {std::string(),
                                     std::string("\0\x7f"
                                                 "ELF\0\xff\n",
                                                 8),
                                     std::string(3'000'000, 'k')}) {
    product.payload = payload;
    const auto request = request_for("payload of " + std::to_string(payload.size()));
    ASSERT_TRUE(ask_anew(request));
    const auto kernel = ask_anew(request);
    ASSERT_TRUE(kernel);
    EXPECT_TRUE((*kernel)->payload() == payload) << payload.size();
    EXPECT_EQ(last.disk_hits, 1u);
  }
}

TEST_F(CacheTest, RequestsThatDifferInOneFieldAreDifferentKernels) {
  const std::vector<std::pair<const char*, std::function<void(CacheRequest&)>>> changes = {
      {"nothing", [](CacheRequest&) {}},
      {"source", [](CacheRequest& r) { r.source += " "; }},
      {"source name", [](CacheRequest& r) { r.source_name = "sub.hip"; }},
      {"compiler", [](CacheRequest& r) { r.compiler = "hiprtc 6.5"; }},
      {"target", [](CacheRequest& r) { r.target = "gfx90a"; }},
      {"target feature", [](CacheRequest& r) { r.target = "gfx90a:xnack+"; }},
      {"added option", [](CacheRequest& r) { r.options.push_back("-g"); }},
      {"removed option", [](CacheRequest& r) { r.options.pop_back(); }},
      {"order of options", [](CacheRequest& r) { std::swap(r.options[0], r.options[1]); }},
      {"options run together", [](CacheRequest& r) { r.options = {"-O3-std=c++17"}; }},
      {"in-memory header",
       [](CacheRequest& r) {
         r.headers = {{"a.h", "1"}};
       }},
      {"name of it",
       [](CacheRequest& r) {
         r.headers = {{"b.h", "1"}};
       }},
      {"text of it",
       [](CacheRequest& r) {
         r.headers = {{"a.h", "2"}};
       }},
      {"folder", [](CacheRequest& r) { r.directory = "/src"; }},
      {"text moved between fields",
       [](CacheRequest& r) {
         r.source_name = "add.hiphiprtc";
         r.compiler = " 6.4";
       }},
  };
  for (const auto& [what, change] : changes) {
    CacheRequest request = request_for("a");
    change(request);
    product.payload = what;
    const auto kernel = ask_anew(request);
    ASSERT_TRUE(kernel) << what;
    EXPECT_EQ((*kernel)->payload(), what);
  }
  EXPECT_EQ(compiles, static_cast<int>(changes.size()));
  EXPECT_EQ(files_in(entries()).size(), changes.size());
}

TEST_F(CacheTest, AFailedCompileIsReportedEachTimeAndNothingIsKept) {
  KernelCache cache(options());
  const auto failing = [&]() -> Result<Compiled> {
    ++compiles;
    return fail("cannot compile", "add.hip", "expected ';'");
  };
  for (int i = 0; i < 3; ++i) {
    const auto kernel = cache.get_or_compile(request_for("a"), failing);
    ASSERT_FALSE(kernel);
    EXPECT_EQ(kernel.error().why, "expected ';'");
  }
  EXPECT_EQ(compiles, 3);
  EXPECT_EQ(cache.statistics().failures, 3u);
  EXPECT_TRUE(files_in(entries()).empty());
  EXPECT_TRUE(files_in(manifests()).empty());
  EXPECT_TRUE(cache.get_or_compile(request_for("a"), compiler()));
}

TEST_F(CacheTest, ACompilerThatThrowsLeavesTheRequestFree) {
  KernelCache cache(options());
  const auto throwing = []() -> Result<Compiled> { throw std::runtime_error("out of memory"); };
  EXPECT_THROW(static_cast<void>(cache.get_or_compile(request_for("a"), throwing)),
               std::runtime_error);
  EXPECT_TRUE(cache.get_or_compile(request_for("a"), compiler()));
}

TEST_F(CacheTest, MemoryHoldsTheKernelsUsedLast) {
  CacheOptions memory_only;
  memory_only.memory_entries = 2;
  KernelCache cache(memory_only);
  const auto ask = [&](const char* source) {
    const int before = compiles;
    EXPECT_TRUE(cache.get_or_compile(request_for(source), compiler()));
    return compiles == before ? "hit" : "compiled";
  };
  EXPECT_STREQ(ask("a"), "compiled");
  EXPECT_STREQ(ask("b"), "compiled");
  EXPECT_STREQ(ask("a"), "hit");
  EXPECT_STREQ(ask("c"), "compiled");  // b was used least recently
  EXPECT_STREQ(ask("a"), "hit");
  EXPECT_STREQ(ask("b"), "compiled");
}

TEST_F(CacheTest, WithoutMemoryTheDiskStillAnswers) {
  CacheOptions disk_only = options();
  disk_only.memory_entries = 0;
  KernelCache cache(disk_only);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(cache.get_or_compile(request_for("a"), compiler()));
  EXPECT_EQ(compiles, 1);
  EXPECT_EQ(cache.statistics().disk_hits, 2u);
}

TEST_F(CacheTest, StatisticsAddUp) {
  KernelCache cache(options());
  EXPECT_EQ(cache.statistics().cache_hit_rate_percent(), 0.0);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(cache.get_or_compile(request_for("a"), compiler()));
  const CacheStatistics statistics = cache.statistics();
  EXPECT_EQ(statistics.hits(), 3u);
  EXPECT_EQ(statistics.misses, 1u);
  EXPECT_EQ(statistics.stored, 1u);
  EXPECT_EQ(statistics.cache_hit_rate_percent(), 75.0);
  EXPECT_GT(statistics.seconds_compiling, 0.0);
  EXPECT_NEAR(statistics.seconds_saved, 3 * statistics.seconds_compiling, 1e-9);
}

TEST_F(CacheTest, ClearForgetsMemoryAndDisk) {
  KernelCache cache(options());
  ASSERT_TRUE(cache.get_or_compile(request_for("a"), compiler()));
  EXPECT_EQ(cache.disk_use().entries, 1u);
  ASSERT_TRUE(cache.clear());
  EXPECT_EQ(cache.disk_use().entries, 0u);
  EXPECT_EQ(cache.disk_use().bytes, 0u);
  ASSERT_TRUE(cache.get_or_compile(request_for("a"), compiler()));
  EXPECT_EQ(compiles, 2);
}

TEST_F(CacheTest, AFolderDeletedUnderTheCacheIsMadeAgain) {
  KernelCache cache(options());
  ASSERT_TRUE(cache.get_or_compile(request_for("a"), compiler()));
  fs::remove_all(root());
  ASSERT_TRUE(cache.get_or_compile(request_for("b"), compiler()));
  EXPECT_EQ(files_in(entries()).size(), 1u);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(CacheTest, TheFolderIsTheUsersAlone) {
  CacheOptions slash = options();
  slash.directory += "/";
  ASSERT_TRUE(KernelCache(slash).get_or_compile(request_for("a"), compiler()));
  for (const fs::path& folder : {root(), entries(), manifests()})
    EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all) << folder;
  for (const fs::path& file : files_in(root()))
    EXPECT_EQ(fs::status(file).permissions() & (fs::perms::group_all | fs::perms::others_all),
              fs::perms::none)
        << file;
}

TEST_F(CacheTest, AKernelFiledUnderAnothersNameIsNotHandedOut) {
  ASSERT_TRUE(ask_anew(request_for("a")));
  const fs::path entry = files_in(entries()).at(0);
  // An intact entry of other key material, as a hash collision would leave it.
  const auto foreign = CachedKernel::build("other key", "wrong code", "", 1.0);
  ASSERT_TRUE(write_file_atomic(entry, foreign->file_bytes()));
  const auto kernel = ask_anew(request_for("a"));
  ASSERT_TRUE(kernel);
  EXPECT_EQ((*kernel)->payload(), "code object");
  EXPECT_EQ(compiles, 2);
  EXPECT_EQ(last.quarantined, 0u);
}

}  // namespace
}  // namespace hipwright::toolchain
