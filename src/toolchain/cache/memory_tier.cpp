// SPDX-License-Identifier: MIT
#include "toolchain/cache/memory_tier.h"

namespace hipwright::toolchain {

std::optional<CachedResult> MemoryTier::find(const RequestKey& key) {
  const std::lock_guard lock(mutex_);
  const auto found = by_hash_.find(key.hash);
  if (found == by_hash_.end() || found->second->material != key.material) return std::nullopt;
  items_.splice(items_.begin(), items_, found->second);
  return found->second->result;
}

void MemoryTier::put(const RequestKey& key, CachedResult result) {
  if (capacity_ == 0) return;
  const std::lock_guard lock(mutex_);
  if (const auto found = by_hash_.find(key.hash); found != by_hash_.end()) {
    items_.erase(found->second);
    by_hash_.erase(found);
  }
  items_.push_front({key.hash, key.material, std::move(result)});
  by_hash_.emplace(key.hash, items_.begin());
  if (items_.size() > capacity_) {
    by_hash_.erase(items_.back().hash);
    items_.pop_back();
  }
}

void MemoryTier::clear() {
  const std::lock_guard lock(mutex_);
  by_hash_.clear();
  items_.clear();
}

std::size_t MemoryTier::size() const {
  const std::lock_guard lock(mutex_);
  return items_.size();
}

}  // namespace hipwright::toolchain
