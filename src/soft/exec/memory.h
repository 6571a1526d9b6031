// SPDX-License-Identifier: MIT
// Device memory. Device pointers are host pointers; an access succeeds only inside one live
// allocation, so a wrong kernel cannot damage the host.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::soft {

enum class MemoryKind : std::uint8_t {
  kDevice,  // hipMalloc
  kManaged,
  kHost,        // hipHostMalloc
  kRegistered,  // hipHostRegister: the program owns and frees it
  kCode,        // a loaded code object: read-only for kernels except its writable segments
  kInternal,    // kernel arguments, printf buffers, the device heap
};

struct Allocation {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;   // as asked for
  std::uint64_t reach = 0;  // what kernels may touch: `size`, or the pages that it lies in
  MemoryKind kind = MemoryKind::kDevice;
  bool writable = true;
  bool owned = true;       // its bytes are ours; false: registered
  std::uint64_t id = 0;    // counts up; never used twice
  std::uint8_t owner = 0;  // the device that it belongs to
  std::uint64_t end() const { return begin + size; }
};

// Where an allocation ends for a kernel. Hardware maps whole pages and does not notice an overrun
// within the last one.
enum class Bounds : std::uint8_t { kExact, kPages };

// All allocations of a process. Its devices share the address space, and each has a share of the
// memory. Kernels look addresses up while the host allocates and frees.
class Memory {
 public:
  static constexpr unsigned kMostOwners = 64;

  // `limit`: bytes that all allocations together may take.
  explicit Memory(std::uint64_t limit, Bounds bounds = Bounds::kExact);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Zero-sized requests give one byte. Aligned to 256 and followed by an unallocated gap; memory of
  // a device begins at a page and shares none with anything else.
  Result<std::uint64_t> allocate(std::uint64_t size, MemoryKind kind, bool writable = true,
                                 unsigned owner = 0);
  Status release(std::uint64_t begin);
  // Small zeroed blocks for the runtime (kernel arguments), reused after give_back(): cheaper than
  // an allocation, and not counted in used(). Aligned to 256.
  Result<std::uint64_t> borrow(std::uint64_t size);
  void give_back(std::uint64_t begin, std::uint64_t size);
  // Memory that the caller owns. unregister() forgets it.
  Status register_range(std::uint64_t begin, std::uint64_t size, MemoryKind kind,
                        bool writable = true, unsigned owner = 0);
  Status unregister(std::uint64_t begin);

  // The live allocation that holds `address`, if any.
  std::optional<Allocation> find(std::uint64_t address) const;
  // For reports: the live allocation next below, and the freed one that held the address.
  struct Neighbours {
    std::optional<Allocation> below, above, freed;
  };
  Neighbours around(std::uint64_t address) const;

  std::uint64_t limit() const { return limit_; }
  std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  // What one device may use and does use; page-locked host memory does not count.
  void set_limit(unsigned owner, std::uint64_t limit) { shares_[owner].limit = limit; }
  std::uint64_t limit(unsigned owner) const { return shares_[owner].limit; }
  std::uint64_t used(unsigned owner) const {
    return shares_[owner].used.load(std::memory_order_relaxed);
  }
  // What one device could still allocate.
  std::uint64_t free(unsigned owner) const;
  // Changes with every allocate, release, register_range and unregister: cached lookups hold as
  // long as it stays the same.
  std::uint64_t version() const { return version_.load(std::memory_order_acquire); }
  std::vector<Allocation> live() const;

  // The allocation that begins at or next below the address.
  std::optional<Allocation> last_before(std::uint64_t address) const;
  // Forgets registered ranges that the program has unmapped; returns them.
  std::vector<Allocation> drop_unmapped();

 private:
  using Table = std::map<std::uint64_t, Allocation>;  // by begin
  // With mutex_ held.
  void changed() { version_.fetch_add(1, std::memory_order_release); }
  const Allocation* holder(std::uint64_t address) const;
  Status insert(Allocation allocation);
  Result<Allocation> remove(std::uint64_t begin, bool owned, std::string_view what);
  void give_up_oldest();

  struct Share {
    std::atomic<std::uint64_t> limit{~std::uint64_t{0}}, used{0};
  };
  struct Freed {
    Allocation allocation;
    std::uint64_t mapped = 0;  // bytes to unmap when it leaves the quarantine
  };
  std::uint64_t limit_;
  Bounds bounds_;
  std::atomic<std::uint64_t> used_{0};
  std::array<Share, kMostOwners> shares_;
  std::atomic<std::uint64_t> version_{1};
  mutable std::shared_mutex mutex_;
  Table table_;
  std::uint64_t registered_ = 0;  // how many of them the program owns
  std::deque<Freed> quarantine_;  // oldest first: freed ranges are not handed out again soon
  std::uint64_t quarantined_ = 0;
  std::uint64_t next_id_ = 1;
  std::vector<std::uint64_t> spare_;  // blocks that borrow() may give
};

// A thread's memory of recent lookups: kernels touch few allocations, many times.
class LookupCache {
 public:
  // `owners`: one bit per device that kernels may access.
  explicit LookupCache(const Memory& memory, std::uint64_t owners = ~std::uint64_t{0})
      : memory_(memory), owners_(owners) {}
  const Memory& memory() const { return memory_; }
  // The allocation that holds all of [begin, end), or nullptr.
  const Allocation* find(std::uint64_t begin, std::uint64_t end) {
    if (version_ != memory_.version()) forget();
    for (Allocation& entry : entries_)
      if (begin >= entry.begin && end <= entry.begin + entry.reach && begin <= end) return &entry;
    return miss(begin, end);
  }

 private:
  const Allocation* miss(std::uint64_t begin, std::uint64_t end);
  void forget();
  const Memory& memory_;
  std::uint64_t owners_;
  std::uint64_t version_ = 0;
  unsigned victim_ = 0;
  std::array<Allocation, 8> entries_{};
};

}  // namespace hipwright::soft
