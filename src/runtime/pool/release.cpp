// SPDX-License-Identifier: MIT
// Segments going back to the device.
#include "runtime/pool/pool.h"

#include <algorithm>

namespace hipwright::runtime {

// All blocks of a segment without users, taken out of the bins and made one.
PoolBlock* Pool::collapse(Segment& segment) {
  PoolBlock* first = segment.first;
  first->arena->free.remove(first);
  while (first->after != nullptr) {
    first->after->arena->free.remove(first->after);
    merge_with_next(first);
  }
  return first;
}

// Returns an unused segment to the device, once the streams that used it have finished.
void Pool::retire(Segment& segment) {
  std::vector<Arena*> owners;
  bool captured = quiet();
  for (const PoolBlock* block = segment.first; block != nullptr; block = block->after) {
    if (std::ranges::find(owners, block->arena) != owners.end()) continue;
    owners.push_back(block->arena);
    captured = captured || capturing(block->arena->stream);
  }
  if (captured) {
    trim_postponed_ = true;
    retry_after_captures();
    return;
  }
  for (Arena* owner : owners) {
    device::Event event = nullptr;
    const Order order = order_of(owner->stream, event);
    if (order == Order::kPending) {
      push_deferred(owner->stream, {.event = event, .segment = &segment});
      ++segment.pending;
    } else if (order == Order::kUnknown) {
      static_cast<void>(driver_->synchronize(owner->native()));
    }
  }
  if (segment.pending == 0) {
    static_cast<void>(give_to_device(segment));
    return;
  }
  collapse(segment)->state = BlockState::kWaiting;
  ++segment.in_use;
  segment.group->returning += segment.size;
}

// Down to the amount to keep.
void Pool::trim() {
  trim_postponed_ = false;
  for (std::size_t i = shared_.segments.size(); i-- > 0 && over_keep();)
    if (shared_.segments[i]->in_use == 0) retire(*shared_.segments[i]);
}

// No stream uses it any more.
device::Done Pool::give_to_device(Segment& segment) {
  PoolBlock* block = segment.first;
  if (block->state == BlockState::kWaiting)
    segment.group->returning -= segment.size;
  else
    block = collapse(segment);
  const device::Done freed = driver_->free(segment.address);
  ++counters_.device_frees;
  counters_.reserved -= segment.size;
  blocks_.drop(block);
  segment.group->erase(segment);
  return freed;
}

bool Pool::any_capture() {
  bool found = quiet();
  const auto look = [&](Group& group) {
    group.for_each_arena([&](Arena& arena) { found = found || capturing(arena.stream); });
  };
  look(shared_);
  for (const auto& group : private_) look(*group);
  return found;
}

// The device is idle.
device::Done Pool::give_unused_to_device() {
  device::Done freed;
  for (std::size_t i = shared_.segments.size(); i-- > 0;) {
    if (shared_.segments[i]->in_use > 0) continue;
    if (auto done = give_to_device(*shared_.segments[i]); !done && freed) freed = std::move(done);
  }
  return freed;
}

// Returns all unused shared segments to the device and their size to the caller. Waits for the
// device.
device::Outcome<std::uint64_t> Pool::release_cached() {
  const std::uint64_t before = counters_.reserved;
  HW_TRY(const bool settled, settle());
  if (!settled) return 0;
  HW_CHECK(give_unused_to_device());
  return before - counters_.reserved;
}

device::Done Pool::empty_cache() {
  const std::lock_guard lock(mutex_);
  HW_TRY(const bool settled, settle());
  if (!settled)
    return std::unexpected(device::Failure(
        device::FailureKind::kCapture, "cannot empty the memory cache", driver_->id(),
        "a stream is being captured, but freeing memory waits for the device",
        "Call empty_cache() before or after the capture."));
  HW_CHECK(give_unused_to_device());
  release_abandoned();
  return {};
}

// Graphs may run on streams unknown to the pool, so it waits for the device.
void Pool::release_abandoned() noexcept {
  const auto unused = [](const std::unique_ptr<Group>& group) {
    if (!group->abandoned) return false;
    for (const auto& segment : group->segments)
      for (const PoolBlock* block = segment->first; block != nullptr; block = block->after)
        if (block->state == BlockState::kLive || block->state == BlockState::kLost) return false;
    return true;
  };
  if (std::ranges::none_of(private_, unused)) return;
  const auto settled = settle();
  if (!settled) return;  // the next device call reports the reason
  if (!*settled) return retry_after_captures();
  for (std::size_t i = private_.size(); i-- > 0;) {
    if (!unused(private_[i])) continue;
    while (!private_[i]->segments.empty())
      static_cast<void>(give_to_device(*private_[i]->segments.back()));
    private_.erase(private_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace hipwright::runtime
