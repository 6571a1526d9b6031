// SPDX-License-Identifier: MIT
// Keeps the cache folder below its bound: keeps a running total, corrects it with a scan of all
// files from time to time, and removes the least recently used files when it grows too large.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "base/error.h"
#include "toolchain/cache/disk_layout.h"

namespace hipwright::toolchain {

struct DiskUse {
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;  // entries and manifests, in whole blocks of 4 KiB
  std::uint64_t quarantined = 0;
};

// Removes a link, a pipe or a device in the place of a cache file: an atomic write follows links.
Status remove_foreign(const std::filesystem::path& path);

// The disk space that a file of so many bytes takes.
std::uint64_t in_disk_blocks(std::uint64_t bytes);

class DiskUsage {
 public:
  DiskUsage(DiskLayout layout, std::uint64_t max_bytes)
      : layout_(std::move(layout)), max_bytes_(max_bytes) {}

  // Counts newly published files and evicts others if there are too many. Returns the number of
  // files removed.
  Result<std::uint64_t> add(std::span<const std::filesystem::path> published) const;

  DiskUse measure() const;
  Status remove_all() const;
  // Removes old and surplus quarantined files.
  void trim_quarantine() const;

 private:
  struct Swept {
    std::uint64_t bytes = 0;
    std::uint64_t removed = 0;
  };
  Swept sweep(std::span<const std::filesystem::path> keep) const;

  DiskLayout layout_;
  std::uint64_t max_bytes_;
};

}  // namespace hipwright::toolchain
