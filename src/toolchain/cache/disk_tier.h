// SPDX-License-Identifier: MIT
// The kernels on disk, shared by all processes of this user. Nothing here compiles or waits for a
// compile; kernel_cache.cpp orders the steps.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "toolchain/cache/disk_layout.h"
#include "toolchain/cache/disk_usage.h"
#include "toolchain/cache/memory_tier.h"
#include "toolchain/cache/range_lock.h"

namespace hipwright::toolchain {

class DiskTier {
 public:
  DiskTier(const std::filesystem::path& root, std::uint64_t max_bytes)
      // "folder/" names the same as "folder", but has another parent.
      : layout_{root.has_filename() ? root : root.parent_path()},
        max_bytes_(max_bytes),
        usage_(layout_, max_bytes) {}

  // Ensures that the folder exists and only this user can write to it. Call it before anything is
  // read or written, because code read from here is run.
  Status prepare() const;

  struct Lookup {
    std::optional<CachedResult> hit;
    bool restamp = false;                        // call restamp() with the hit
    std::vector<std::filesystem::path> damaged;  // files that failed verification
  };
  Lookup find(const RequestKey& key) const;

  // One holder per request on this machine. Empty if the wait timed out.
  Result<std::optional<RangeLock>> lock(const RequestKey& key,
                                        std::chrono::milliseconds patience) const;

  // Moves damaged files out of the way. Only under the lock and for files found damaged under it:
  // another process may have replaced them by good ones before.
  std::uint64_t quarantine(const std::vector<std::filesystem::path>& damaged) const;

  struct Stored {
    bool stored = false;  // false: larger than the whole cache may be
    std::uint64_t removed = 0;
  };
  // Under the lock.
  Result<Stored> store(const RequestKey& key, const CachedResult& result) const;

  // Records newer stamps for the includes of a hit, unless another holder has the lock.
  void restamp(const RequestKey& key, const CachedResult& result) const;

  Status clear() const;
  DiskUse measure() const { return usage_.measure(); }
  const std::filesystem::path& root() const { return layout_.root; }

 private:
  Status publish(const std::filesystem::path& path, std::string_view bytes) const;

  DiskLayout layout_;
  std::uint64_t max_bytes_;
  DiskUsage usage_;
};

}  // namespace hipwright::toolchain
