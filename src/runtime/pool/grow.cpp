// SPDX-License-Identifier: MIT
// The steps when a stream has no free block that fits: take other streams' memory, then allocate on
// the device.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "runtime/pool/human_bytes.h"
#include "runtime/pool/pool.h"

namespace hipwright::runtime {

namespace {

std::size_t segment_bytes(std::size_t size) {
  if (size <= kSmallRequest) return kSmallSegment;
  if (size < kSharedLargeRequest) return kLargeSegment;
  if (size > std::numeric_limits<std::size_t>::max() - kSegmentStep) return size;
  return (size + kSegmentStep - 1) / kSegmentStep * kSegmentStep;
}

}  // namespace

device::Outcome<PoolBlock*> Pool::find_or_grow(Arena& arena, std::size_t size,
                                               const PoolRequest& request) {
  const bool small = size <= kSmallRequest;
  const bool captured = quiet(arena);
  if (!captured) {
    poll();
    adopt_closed_streams(*arena.group);
    if (PoolBlock* block = find_elsewhere(arena, size, small)) {
      ++counters_.hits;
      return block;
    }
  }
  auto grown = grow(arena, size, small);
  if (grown || grown.error().kind != device::FailureKind::kMemory) return grown;

  if (options_.oom_protection && !captured) {
    HW_TRY(const std::uint64_t released, release_cached());
    if (PoolBlock* block = find_elsewhere(arena, size, small)) return block;
    if (released > 0) {
      ++counters_.oom_retries;
      grown = grow(arena, size, small);
      if (grown || grown.error().kind != device::FailureKind::kMemory) return grown;
    }
  }
  return std::unexpected(out_of_memory(request, size, grown.error(), captured));
}

PoolBlock* Pool::find_elsewhere(Arena& arena, std::size_t size, bool small) {
  if (PoolBlock* block = take(arena, size, small)) return block;
  if (PoolBlock* block = take_over(arena, size, small)) return block;
  return take_mixed_run(arena, size, small);
}

// The best fit among the free blocks of the group's other streams.
PoolBlock* Pool::take_over(Arena& arena, std::size_t size, bool small) {
  PoolBlock* best = nullptr;
  arena.group->for_each_arena([&](Arena& other) {
    if (&other == &arena) return;
    PoolBlock* block = other.free.best_fit(size, small);
    if (block != nullptr && (best == nullptr || block->size < best->size)) best = block;
  });
  if (best == nullptr || !order_after(*best->arena, arena)) return nullptr;
  best->arena->free.remove(best);
  // Of a large block the other stream keeps the rest. A small one comes whole: the stream that
  // needs it will soon need more, and waiting costs more than two megabytes.
  if (!small) cut(best, size);
  best->arena = &arena;
  insert_merged(best);  // the new owner may have free neighbours
  return take(arena, size, small);
}

// Free neighbours that differ only in their stream: the smallest run that is large enough becomes
// one block. Puts segments together again that several streams had cut up.
PoolBlock* Pool::take_mixed_run(Arena& arena, std::size_t size, bool small) {
  if (arena.group->arena_count() < 2) return nullptr;
  struct Run {
    PoolBlock* first = nullptr;
    std::size_t size = 0;
  };
  Run best;
  for (const auto& segment : arena.group->segments) {
    if (segment->small != small || segment->size < size) continue;
    Run run;
    for (PoolBlock* block = segment->first; block != nullptr; block = block->after) {
      if (block->state != BlockState::kFree) {
        run = {};
        continue;
      }
      if (run.first == nullptr) run.first = block;
      run.size += block->size;
      const bool ends = block->after == nullptr || block->after->state != BlockState::kFree;
      if (ends && run.size >= size && (best.first == nullptr || run.size < best.size)) best = run;
    }
  }
  if (best.first == nullptr) return nullptr;

  std::vector<Arena*> owners;
  const PoolBlock* end = best.first;
  for (std::size_t left = best.size; left > 0; end = end->after) {
    if (end->arena != &arena && std::ranges::find(owners, end->arena) == owners.end())
      owners.push_back(end->arena);
    left -= end->size;
  }
  for (Arena* owner : owners)
    if (!order_after(*owner, arena)) return nullptr;
  best.first->arena->free.remove(best.first);
  while (best.first->after != end) {
    best.first->after->arena->free.remove(best.first->after);
    merge_with_next(best.first);
  }
  best.first->arena = &arena;
  insert_merged(best.first);
  return take(arena, size, small);
}

// A stream that only the pool still holds gets no more work: once it is idle, anyone may have its
// memory, and it can be closed.
void Pool::adopt_closed_streams(Group& group) {
  std::vector<Arena*> closed;
  group.for_each_arena([&](Arena& arena) {
    if (arena.stream.state().use_count() == 1) closed.push_back(&arena);
  });
  for (Arena* arena : closed) {
    const auto blocks_of_it = [&](auto function) {
      for (const auto& segment : group.segments)
        for (PoolBlock* block = segment->first; block != nullptr; block = block->after)
          if (block->arena == arena) block = function(block);
    };
    bool in_use = false;
    blocks_of_it([&](PoolBlock* block) {
      in_use = in_use || block->state != BlockState::kFree;
      return block;
    });
    if (in_use) continue;
    if (const auto idle = driver_->idle(arena->native()); !idle || !*idle) continue;
    Arena& heir = group.arena_of({});
    blocks_of_it([&](PoolBlock* block) {
      arena->free.remove(block);
      block->arena = &heir;
      return insert_merged(block);
    });
    group.erase(*arena);
  }
}

device::Outcome<PoolBlock*> Pool::grow(Arena& arena, std::size_t size, bool small) {
  std::size_t bytes = segment_bytes(size);
  auto address = ask_device(bytes, arena.native(), Source::kPool);
  if (!address && address.error().kind == device::FailureKind::kMemory && bytes > size) {
    bytes = size;  // memory is short: exactly the requested size
    address = ask_device(bytes, arena.native(), Source::kPool);
  }
  if (!address) return std::unexpected(std::move(address).error());
  return cut(add_segment(arena, *address, bytes, small, Source::kPool), size);
}

device::Outcome<std::byte*> Pool::ask_device(std::size_t bytes, device::Stream stream,
                                             Source source) {
  const auto refuse = [&](std::string why) {
    return std::unexpected(
        device::Failure(device::FailureKind::kMemory, "", driver_->id(), std::move(why)));
  };
  if (counters_.reserved > limit_ || bytes > limit_ - counters_.reserved)
    return refuse("max_memory_fraction reached");
  if (options_.oom_protection) {
    HW_TRY(const device::MemoryInfo info, driver_->memory_info());
    if (info.free_bytes < bytes)
      return refuse(fmt::format("the device has {} free", human_bytes(info.free_bytes)));
  }
  HW_TRY(void* address, source == Source::kStreamOrdered ? driver_->allocate_async(bytes, stream)
                                                         : driver_->allocate(bytes));
  ++counters_.device_allocations;
  counters_.reserved += bytes;
  counters_.peak_reserved = std::max(counters_.peak_reserved, counters_.reserved);
  return static_cast<std::byte*>(address);
}

// One block over a new segment, in no bin.
PoolBlock* Pool::add_segment(Arena& arena, std::byte* address, std::size_t bytes, bool small,
                             Source source) {
  auto segment = std::make_unique<Segment>();
  segment->pool = this;
  segment->address = address;
  segment->size = bytes;
  segment->source = source;
  segment->small = small;
  PoolBlock* block = blocks_.make();
  block->address = address;
  block->size = bytes;
  block->segment = segment.get();
  block->arena = &arena;
  block->before = block->after = nullptr;
  block->state = BlockState::kFree;
  segment->first = block;
  arena.group->add(std::move(segment));
  return block;
}

}  // namespace hipwright::runtime
