// SPDX-License-Identifier: MIT
// The kernels used last, in memory, bounded by their number. Thread-safe.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "toolchain/cache/cached_kernel.h"
#include "toolchain/cache/include_set.h"
#include "toolchain/cache/request.h"

namespace hipwright::toolchain {

// A kernel and the includes it is valid for.
struct CachedResult {
  CachedKernel::Pointer kernel;
  std::shared_ptr<const IncludeSet> includes;
};

class MemoryTier {
 public:
  explicit MemoryTier(std::size_t capacity) : capacity_(capacity) {}

  // The caller checks whether the includes are still the same.
  std::optional<CachedResult> find(const RequestKey& key);
  void put(const RequestKey& key, CachedResult result);
  void clear();
  std::size_t size() const;

 private:
  struct Item {
    Hash128 hash;
    std::string material;
    CachedResult result;
  };
  struct HashOfHash {
    std::size_t operator()(const Hash128& hash) const { return hash.low; }
  };

  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::list<Item> items_;  // used last comes first
  std::unordered_map<Hash128, std::list<Item>::iterator, HashOfHash> by_hash_;
};

}  // namespace hipwright::toolchain
