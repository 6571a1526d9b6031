// SPDX-License-Identifier: MIT
// Compiles each kernel once: memory over a folder on disk that all of the user's processes share.
//
//   KernelCache cache({.directory = *KernelCache::default_directory()});
//   auto kernel = cache.get_or_compile(request, [&] { return call_the_compiler(request); });
//
// A hit is checked: one stat() per included file, from memory as from disk, and every byte read
// from disk. The cache knows no compiler. It never fails by itself: if its folder cannot be used,
// kernels are compiled each time and one warning is issued.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "toolchain/cache/cached_kernel.h"
#include "toolchain/cache/disk_tier.h"
#include "toolchain/cache/memory_tier.h"
#include "toolchain/cache/request.h"

namespace hipwright::toolchain {

// How the warning about an unusable cache begins.
inline constexpr const char* kCacheWarning = "hipwright: warning: kernel cache disabled: ";

struct CacheOptions {
  std::filesystem::path directory;              // empty: memory only
  std::size_t memory_entries = 100;             // hip_compiler_cache_size; 0: disk only
  std::uint64_t disk_bytes = 1ull << 30;        // beyond this, the least recently used files go
  std::chrono::milliseconds patience{600'000};  // with another process that compiles the same
  std::function<void(const Error&)> warn;       // called at most once, from any thread
};

// The result of one run of the compiler.
struct Compiled {
  std::string payload;
  std::string log;
  std::vector<std::filesystem::path> includes;  // every file that was read, the source apart
  std::vector<std::filesystem::path> absent;    // looked for and not there (shadowing_paths())
  bool includes_known = true;  // false: more may have been read, so the result is not kept
};
using CompileFunction = std::function<Result<Compiled>()>;

struct CacheStatistics {
  std::uint64_t memory_hits = 0;
  std::uint64_t disk_hits = 0;
  std::uint64_t misses = 0;       // compiles, failed ones too
  std::uint64_t failures = 0;     // compiles that failed
  std::uint64_t stored = 0;       // entries written to disk
  std::uint64_t not_kept = 0;     // good compiles whose includes are unknown or changed meanwhile
  std::uint64_t quarantined = 0;  // damaged files found
  std::uint64_t evicted = 0;      // files removed to make room
  double seconds_compiling = 0;
  double seconds_saved = 0;  // the original compile time of the hits

  std::uint64_t hits() const { return memory_hits + disk_hits; }
  double cache_hit_rate_percent() const;  // 0 before the first request
};

// Thread-safe.
class KernelCache {
 public:
  explicit KernelCache(CacheOptions options);

  // ~/.cache/hipwright/kernels or its XDG equivalent.
  static Result<std::filesystem::path> default_directory();

  // The kernel from memory, from disk, or from `compile`, whose error is passed on and never
  // cached. Of threads and processes that request the same kernel at once, one compiles and the
  // others wait; threads that waited for a failed compile get its error. `compile` must not request
  // the same kernel from this cache.
  Result<CachedKernel::Pointer> get_or_compile(const CacheRequest& request,
                                               const CompileFunction& compile);

  CacheStatistics statistics() const;
  DiskUse disk_use() const;  // looks at every file
  // Forgets all kernels, in memory and on disk. The statistics stay.
  Status clear();

 private:
  // Without includes if the result must not be shared.
  using Outcome = Result<CachedResult>;
  using Flights = std::unordered_map<std::string, std::shared_future<Outcome>>;

  std::optional<CachedResult> recall(const RequestKey& key);
  std::optional<CachedResult> read_disk(const RequestKey& key, bool locked);
  std::optional<RangeLock> lock_disk(const RequestKey& key);
  Outcome fetch(const RequestKey& key, const CompileFunction& compile);
  Outcome compile_and_keep(const RequestKey& key, const CompileFunction& compile);
  void write_disk(const RequestKey& key, const CachedResult& result);
  Outcome lead(const RequestKey& key, const CompileFunction& compile,
               std::promise<Outcome> promise);
  bool disk_ready();
  void degrade(const Error& reason);
  template <class Change>
  void count(Change change);

  const CacheOptions options_;
  MemoryTier memory_;
  const std::optional<DiskTier> disk_;

  std::mutex flights_mutex_;
  Flights flights_;  // compiles under way in this process, by request

  mutable std::mutex statistics_mutex_;
  CacheStatistics statistics_;
  std::once_flag warned_;
};

}  // namespace hipwright::toolchain
