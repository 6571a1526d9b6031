// SPDX-License-Identifier: MIT
// Allocations that go to the device one by one: enable_memory_pooling = false, and the device's own
// stream-ordered allocator.
#include "runtime/pool/pool.h"

namespace hipwright::runtime {

device::Outcome<PoolBlock*> Pool::allocate_unpooled(Arena& arena, std::size_t size,
                                                    const PoolRequest& request) {
  const Source source = options_.source;
  if (!arena.group->shared() || capturing(arena.stream))
    return std::unexpected(device::Failure(
        device::FailureKind::kCapture, "cannot allocate memory during a capture", driver_->id(),
        source == Source::kDevice
            ? "enable_memory_pooling is false, so it would be allocated on the device"
            : "it would come from the device's stream-ordered allocator",
        source == Source::kDevice ? "Set enable_memory_pooling, or allocate before the capture."
                                  : "Allocate inside a scope of a private pool, or before the "
                                    "capture."));
  if (!quiet()) {
    poll();
    adopt_closed_streams(*arena.group);
  }
  auto address = ask_device(size, arena.native(), source);
  if (!address && address.error().kind == device::FailureKind::kMemory && options_.oom_protection) {
    // Pending stream-ordered frees hold memory until the device reaches them.
    HW_TRY(const bool settled, settle());
    if (settled) {
      ++counters_.oom_retries;
      address = ask_device(size, arena.native(), source);
    }
  }
  if (address) return add_segment(arena, *address, size, false, source);
  if (address.error().kind != device::FailureKind::kMemory)
    return std::unexpected(std::move(address).error());
  return std::unexpected(out_of_memory(request, size, address.error(), quiet()));
}

void Pool::free_unpooled(std::unique_lock<std::mutex>& lock, PoolBlock* block) {
  account_free(*block);
  bool captured = quiet(*block->arena);
  for (const Stream& stream : block->uses) captured = captured || capturing(stream);
  if (captured) {
    block->state = BlockState::kWaiting;
    postponed_.push_back(block);
    retry_after_captures();
  } else {
    finish_unpooled(block, &lock);
  }
}

// Waiting for a stream may take long, so the lock is released during the wait.
void Pool::finish_unpooled(PoolBlock* block, std::unique_lock<std::mutex>* lock) {
  Segment& segment = *block->segment;
  Arena& arena = *block->arena;
  if (segment.source == Source::kStreamOrdered) {
    for (const Stream& stream : block->uses) {
      Arena& user = arena.group->arena_of(stream);
      if (!order_after(user, arena)) static_cast<void>(driver_->synchronize(user.native()));
    }
    static_cast<void>(driver_->free_async(segment.address, arena.native()));
  } else {
    if (lock != nullptr) lock->unlock();
    static_cast<void>(driver_->synchronize(arena.native()));
    for (const Stream& stream : block->uses)
      static_cast<void>(driver_->synchronize(native(stream)));
    static_cast<void>(driver_->free(segment.address));
    if (lock != nullptr) lock->lock();
  }
  block->uses.clear();
  ++counters_.device_frees;
  counters_.reserved -= segment.size;
  blocks_.drop(block);
  segment.group->erase(segment);
}

}  // namespace hipwright::runtime
