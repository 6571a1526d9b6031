// SPDX-License-Identifier: MIT
// The blocks that the pool returns, and the device allocations that they are cut from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <source_location>
#include <utility>
#include <vector>

#include "hipwright/device.h"

namespace hipwright::runtime {

inline constexpr std::size_t kKiB = 1024;
inline constexpr std::size_t kMiB = 1024 * kKiB;
inline constexpr std::size_t kGiB = 1024 * kMiB;

// Sizes and offsets are multiples of this; device allocations are aligned to at least 256 bytes,
// in practice to pages.
inline constexpr std::size_t kGranule = 512;
// Requests up to kSmallRequest share segments of kSmallSegment. Larger ones under
// kSharedLargeRequest are cut from segments of kLargeSegment, those over it get a segment of their
// own size, in steps: a few segment sizes are reused more often than many.
inline constexpr std::size_t kSmallRequest = 1 * kMiB;
inline constexpr std::size_t kSmallSegment = 2 * kMiB;
inline constexpr std::size_t kSharedLargeRequest = 10 * kMiB;
inline constexpr std::size_t kLargeSegment = 20 * kMiB;
inline constexpr std::size_t kSegmentStep = 2 * kMiB;
// The rest of a large block is worth keeping from this size on.
inline constexpr std::size_t kLargeRemainder = 1 * kMiB;

class Pool;
struct Arena;
struct Group;
struct Purpose;
struct Segment;

enum class BlockState : std::uint8_t {
  kFree,
  kLive,
  kWaiting,  // freed, but another stream may still use it
  kLost,     // freed, but the device could not say when its work is done: never used again
};

struct PoolBlock {
  std::byte* address = nullptr;
  std::size_t size = 0;  // a multiple of kGranule, unless it came from the device itself
  Segment* segment = nullptr;
  Arena* arena = nullptr;       // whose stream orders its use
  PoolBlock* before = nullptr;  // neighbours in the segment
  PoolBlock* after = nullptr;
  PoolBlock* bin_before = nullptr;  // neighbours in a bin of free blocks
  PoolBlock* bin_after = nullptr;
  BlockState state = BlockState::kFree;

  // Of a live block.
  unsigned pending = 0;       // events that must be reached before it is free
  std::size_t requested = 0;  // bytes
  std::uint64_t serial = 0;   // counts allocations: the order of birth
  Purpose* purpose = nullptr;
  std::source_location where;
  std::vector<Stream> uses;  // other streams that work with it
};

enum class Source : std::uint8_t {
  kPool,           // segments that are kept and cut
  kDevice,         // every allocation is the device's
  kStreamOrdered,  // every allocation is from the device's own stream-ordered allocator
};

// One allocation of the device.
struct Segment {
  Pool* pool = nullptr;
  Group* group = nullptr;
  std::byte* address = nullptr;
  std::size_t size = 0;
  Source source = Source::kPool;
  bool small = false;
  unsigned pending = 0;    // events before it can go back to the device
  std::size_t in_use = 0;  // blocks that are not free
  std::size_t index = 0;   // in group->segments
  PoolBlock* first = nullptr;
};

// Blocks are made and dropped at every split and merge: they come from a list of spare ones.
class BlockStore {
 public:
  PoolBlock* make() {
    if (spare_ == nullptr) return &blocks_.emplace_back();
    return std::exchange(spare_, spare_->bin_after);
  }
  void drop(PoolBlock* block) {
    block->bin_after = spare_;
    spare_ = block;
  }

 private:
  std::deque<PoolBlock> blocks_;
  PoolBlock* spare_ = nullptr;
};

}  // namespace hipwright::runtime
