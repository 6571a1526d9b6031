// SPDX-License-Identifier: MIT
// A caching pool of device memory. Freed memory is kept and reused in the order of its stream; the
// device is called only for more.
//
// Rules:
//  - A block belongs to the arena of the stream that it was allocated for. Freed, that stream may
//    have it again at once: its later work comes after.
//  - Where other streams used it (record_use), it is free once events recorded on them at the time
//    of the free were reached.
//  - A stream that finds nothing takes a free block of another stream over; its work waits, on the
//    device, for what that stream was given so far.
//  - While a scope of a private pool is open, or any thread captures on the device, no event is
//    recorded or queried and nothing is returned to the device. Such work, including the
//    destruction of the pool, is postponed.
//
// All functions may be called from any thread; one mutex guards everything.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "device/device.h"
#include "hipwright/memory.h"
#include "runtime/capture.h"
#include "runtime/pool/block.h"
#include "runtime/pool/group.h"
#include "runtime/pool/purposes.h"

namespace hipwright::runtime {

struct PoolOptions {
  Source source = Source::kPool;
  std::uint64_t keep_bytes = 8 * kGiB;  // free memory beyond this is returned to the device
  double max_fraction = 0.9;            // of the device's memory
  bool oom_protection = true;           // check before growing; release and retry
};

struct PoolRequest {
  std::size_t bytes = 0;  // not 0
  const Stream& stream;
  std::string_view purpose;
  std::source_location where;
};

class Pool {
 public:
  // With Source::kStreamOrdered the caller has tested that allocator (self_test.h).
  static device::Outcome<std::shared_ptr<Pool>> open(std::shared_ptr<device::Device> driver,
                                                     const PoolOptions& options);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  device::Outcome<PoolBlock*> allocate(const PoolRequest& request);
  void free(PoolBlock* block) noexcept;
  device::Done record_use(PoolBlock* block, const Stream& stream);

  device::Done empty_cache();
  void reset_peaks();
  device::Outcome<MemoryStats> statistics();
  std::vector<AllocationSummary> summary();
  std::vector<Leak> live_allocations();
  std::string snapshot();

  // Private pools (private_pool.h).
  Group* add_group();
  void abandon(Group* group) noexcept;
  void open_scope();
  void close_scope() noexcept;

  const std::shared_ptr<device::Device>& driver() const { return driver_; }
  const PoolOptions& options() const { return options_; }

 private:
  struct Counters {
    std::uint64_t allocated = 0, reserved = 0, peak_allocated = 0, peak_reserved = 0;
    std::uint64_t allocations = 0, hits = 0, device_allocations = 0, device_frees = 0;
    std::uint64_t oom_retries = 0, live = 0;
  };
  // Something that waits for an event: a block to become free, a segment to be given back, or
  // nothing but the event's own reuse.
  struct Deferred {
    device::Event event = nullptr;
    PoolBlock* block = nullptr;
    Segment* segment = nullptr;
  };
  // Events of one stream are reached in order: stop at the first one not reached.
  struct DeferredQueue {
    Stream stream;
    std::deque<Deferred> entries;
  };

  Pool(std::shared_ptr<device::Device> driver, const PoolOptions& options, std::uint64_t limit);
  ~Pool();
  void close();
  // No handle, no buffer and no retry remains.
  bool unused() const { return closed_ && counters_.live == 0 && !retry_registered_; }
  static void dispose(Pool* pool);

  // pool.cpp: the path of a hit. All need the mutex.
  PoolBlock* take(Arena& arena, std::size_t size, bool small);
  PoolBlock* cut(PoolBlock* block, std::size_t size);
  PoolBlock* hand_out(PoolBlock* block, const PoolRequest& request);
  void merge_with_next(PoolBlock* block);
  PoolBlock* insert_merged(PoolBlock* block);
  void account_free(const PoolBlock& block);
  void give_back(PoolBlock* block);
  // Private pools always keep their memory.
  bool over_keep() const {
    return shared_.reserved - shared_.allocated - shared_.returning > options_.keep_bytes;
  }

  // grow.cpp: what is done when nothing fits.
  device::Outcome<PoolBlock*> find_or_grow(Arena& arena, std::size_t size,
                                           const PoolRequest& request);
  PoolBlock* take_over(Arena& arena, std::size_t size, bool small);
  PoolBlock* take_mixed_run(Arena& arena, std::size_t size, bool small);
  void adopt_closed_streams(Group& group);
  PoolBlock* find_elsewhere(Arena& arena, std::size_t size, bool small);
  device::Outcome<PoolBlock*> grow(Arena& arena, std::size_t size, bool small);
  device::Outcome<std::byte*> ask_device(std::size_t bytes, device::Stream stream, Source source);
  PoolBlock* add_segment(Arena& arena, std::byte* address, std::size_t bytes, bool small,
                         Source source);

  // deferred.cpp: what waits for the device.
  bool capturing(const Stream& stream);
  bool quiet() const { return scopes_ > 0 || somebody_captures(*driver_); }
  bool quiet(const Arena& arena) { return quiet() || capturing(arena.stream); }
  void retry_after_captures();
  void retry();
  device::Event take_event();
  enum class Order { kDone, kPending, kUnknown };
  Order order_of(const Stream& stream, device::Event& event);
  bool order_after(Arena& earlier, Arena& later);
  void defer(PoolBlock* block);
  void push_deferred(const Stream& stream, const Deferred& deferred);
  void poll();
  void finish(const Deferred& deferred, std::vector<PoolBlock*>& freed);
  void retry_postponed(bool device_idle);
  device::Outcome<bool> settle();

  // unpooled.cpp: allocations that are the device's own.
  device::Outcome<PoolBlock*> allocate_unpooled(Arena& arena, std::size_t size,
                                                const PoolRequest& request);
  void free_unpooled(std::unique_lock<std::mutex>& lock, PoolBlock* block);
  void finish_unpooled(PoolBlock* block, std::unique_lock<std::mutex>* lock);

  // release.cpp: segments going back.
  PoolBlock* collapse(Segment& segment);
  void retire(Segment& segment);
  void trim();
  device::Done give_to_device(Segment& segment);
  device::Done give_unused_to_device();
  device::Outcome<std::uint64_t> release_cached();
  bool any_capture();
  void release_abandoned() noexcept;

  // report.cpp
  std::uint64_t largest_free_block() const;
  device::Failure out_of_memory(const PoolRequest& request, std::size_t size,
                                const device::Failure& cause, bool captured);
  template <class Function>
  void for_each_block(Function function) const;

  const std::shared_ptr<device::Device> driver_;
  const PoolOptions options_;
  const std::uint64_t limit_;

  std::mutex mutex_;
  bool closed_ = false;  // no handle is left; the last buffer takes the pool along
  unsigned scopes_ = 0;  // of private pools, open on any thread
  unsigned group_count_ = 0;
  std::uint64_t serial_ = 0;
  Counters counters_;
  Group shared_;
  std::vector<std::unique_ptr<Group>> private_;
  BlockStore blocks_;
  Purposes purposes_;
  std::unordered_map<const StreamState*, DeferredQueue> deferred_;
  std::vector<PoolBlock*> postponed_;  // frees that came during a capture
  bool trim_postponed_ = false;
  bool retry_registered_ = false;      // for the end of a capture
  std::vector<device::Event> events_;  // spare ones
};

}  // namespace hipwright::runtime
