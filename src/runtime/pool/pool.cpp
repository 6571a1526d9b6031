// SPDX-License-Identifier: MIT
// The path of a hit: best fit, split, merge.
#include "runtime/pool/pool.h"

#include <algorithm>
#include <limits>

#include "runtime/pool/private_pool.h"

namespace hipwright::runtime {

namespace {

std::size_t round_up(std::size_t bytes) {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max() & ~(kGranule - 1);
  return bytes > kMost ? kMost : (bytes + kGranule - 1) & ~(kGranule - 1);
}

}  // namespace

device::Outcome<std::shared_ptr<Pool>> Pool::open(std::shared_ptr<device::Device> driver,
                                                  const PoolOptions& options) {
  HW_TRY(const device::MemoryInfo info, driver->memory_info());
  const auto limit =
      static_cast<std::uint64_t>(options.max_fraction * static_cast<double>(info.total_bytes));
  // The handle does not count buffers: the pool counts them under its mutex.
  return std::shared_ptr<Pool>(new Pool(std::move(driver), options, limit),
                               [](Pool* pool) { pool->close(); });
}

Pool::Pool(std::shared_ptr<device::Device> driver, const PoolOptions& options, std::uint64_t limit)
    : driver_(std::move(driver)), options_(options), limit_(limit) {}

// Under dispose(): no thread captures.
Pool::~Pool() {
  static_cast<void>(driver_->synchronize());
  const auto free_all = [&](Group& group) {
    for (const auto& segment : group.segments) static_cast<void>(driver_->free(segment->address));
  };
  free_all(shared_);
  for (const auto& group : private_) free_all(*group);
  for (const auto& [key, queue] : deferred_)
    for (const Deferred& entry : queue.entries)
      static_cast<void>(driver_->destroy_event(entry.event));
  for (device::Event event : events_) static_cast<void>(driver_->destroy_event(event));
}

void Pool::close() {
  std::unique_lock lock(mutex_);
  closed_ = true;
  const bool last = unused();
  lock.unlock();
  if (last) dispose(this);
}

void Pool::dispose(Pool* pool) {
  when_nobody_captures(*pool->driver_, [pool, driver = pool->driver_] { delete pool; });
}

device::Outcome<PoolBlock*> Pool::allocate(const PoolRequest& request) {
  const std::size_t size = round_up(request.bytes);
  const std::lock_guard lock(mutex_);
  ++counters_.allocations;
  Group* const private_group = private_group_of_this_thread(this);
  Group& group = private_group != nullptr ? *private_group : shared_;
  Arena& arena = group.arena_of(request.stream);
  // A graph's memory must stay where it is, so private pools never use the device's allocator.
  if (options_.source == Source::kDevice ||
      (options_.source == Source::kStreamOrdered && private_group == nullptr)) {
    // Without a pool, exactly what was asked for: tools that watch bounds then see every overrun.
    const std::size_t exact =
        options_.source == Source::kDevice ? std::max<std::size_t>(request.bytes, 1) : size;
    HW_TRY(PoolBlock * block, allocate_unpooled(arena, exact, request));
    return hand_out(block, request);
  }
  if (PoolBlock* block = take(arena, size, size <= kSmallRequest)) {
    ++counters_.hits;
    return hand_out(block, request);
  }
  HW_TRY(PoolBlock * block, find_or_grow(arena, size, request));
  return hand_out(block, request);
}

// The best fit of the arena's free blocks, cut to size.
PoolBlock* Pool::take(Arena& arena, std::size_t size, bool small) {
  PoolBlock* block = arena.free.best_fit(size, small);
  if (block == nullptr) return nullptr;
  arena.free.remove(block);
  return cut(block, size);
}

// What `block`, which is in no bin, has over `size` becomes a free block of its arena.
PoolBlock* Pool::cut(PoolBlock* block, std::size_t size) {
  const std::size_t rest = block->size - size;
  if (rest < (block->segment->small ? kGranule : kLargeRemainder)) return block;
  PoolBlock* remainder = blocks_.make();
  remainder->address = block->address + size;
  remainder->size = rest;
  remainder->segment = block->segment;
  remainder->arena = block->arena;
  remainder->state = BlockState::kFree;
  remainder->before = block;
  remainder->after = block->after;
  if (block->after != nullptr) block->after->before = remainder;
  block->after = remainder;
  block->size = size;
  block->arena->free.insert(remainder);
  return block;
}

PoolBlock* Pool::hand_out(PoolBlock* block, const PoolRequest& request) {
  block->state = BlockState::kLive;
  block->requested = request.bytes;
  block->serial = ++serial_;
  block->where = request.where;
  block->purpose = &purposes_.find(request.purpose);
  block->purpose->count_allocation(block->size);
  ++block->segment->in_use;
  ++counters_.live;
  counters_.allocated += block->size;
  block->segment->group->allocated += block->size;
  counters_.peak_allocated = std::max(counters_.peak_allocated, counters_.allocated);
  return block;
}

void Pool::free(PoolBlock* block) noexcept {
  std::unique_lock lock(mutex_);
  const Group& group = *block->segment->group;
  if (block->segment->source != Source::kPool) [[unlikely]] {
    free_unpooled(lock, block);
  } else {
    account_free(*block);
    if (block->uses.empty())
      give_back(block);
    else
      defer(block);
    if (group.abandoned) [[unlikely]]
      release_abandoned();
  }
  --counters_.live;
  const bool last = unused();
  lock.unlock();
  if (last) dispose(this);
}

void Pool::account_free(const PoolBlock& block) {
  counters_.allocated -= block.size;
  block.segment->group->allocated -= block.size;
  block.purpose->count_free(block.size);
}

// From now on its arena's stream may have it.
void Pool::give_back(PoolBlock* block) {
  Segment& segment = *block->segment;
  block->state = BlockState::kFree;
  insert_merged(block);
  if (--segment.in_use == 0 && over_keep() && segment.group->shared()) [[unlikely]]
    retire(segment);
}

// Puts a free block into the bins of its arena, as one with its free neighbours of the same arena.
PoolBlock* Pool::insert_merged(PoolBlock* block) {
  Arena& arena = *block->arena;
  const auto joins = [&](const PoolBlock* neighbour) {
    return neighbour != nullptr && neighbour->state == BlockState::kFree &&
           neighbour->arena == &arena;
  };
  if (joins(block->after)) {
    arena.free.remove(block->after);
    merge_with_next(block);
  }
  if (joins(block->before)) {
    block = block->before;
    arena.free.remove(block);
    merge_with_next(block);
  }
  arena.free.insert(block);
  return block;
}

void Pool::merge_with_next(PoolBlock* block) {
  PoolBlock* next = block->after;
  block->size += next->size;
  block->after = next->after;
  if (next->after != nullptr) next->after->before = block;
  blocks_.drop(next);
}

device::Done Pool::record_use(PoolBlock* block, const Stream& stream) {
  if (stream.state() && stream.state()->driver != driver_)
    return std::unexpected(device::Failure(
        device::FailureKind::kDevice, "cannot record the use of a buffer", driver_->id(),
        "stream '" + stream.name() + "' belongs to " + stream.state()->driver->id(),
        "Copy the data to a buffer of that device."));
  const std::lock_guard lock(mutex_);
  if (block->arena->stream == stream) return {};
  for (const Stream& known : block->uses)
    if (known == stream) return {};
  block->uses.push_back(stream);
  return {};
}

Group* Pool::add_group() {
  const std::lock_guard lock(mutex_);
  Group& group = *private_.emplace_back(std::make_unique<Group>());
  group.number = ++group_count_;
  return &group;
}

void Pool::abandon(Group* group) noexcept {
  const std::lock_guard lock(mutex_);
  group->abandoned = true;
  release_abandoned();
}

void Pool::open_scope() {
  const std::lock_guard lock(mutex_);
  ++scopes_;
}

void Pool::close_scope() noexcept {
  const std::lock_guard lock(mutex_);
  if (--scopes_ > 0) return;
  if (!postponed_.empty() || trim_postponed_) poll();
  release_abandoned();
}

void Pool::reset_peaks() {
  const std::lock_guard lock(mutex_);
  counters_.peak_allocated = counters_.allocated;
  counters_.peak_reserved = counters_.reserved;
  purposes_.reset_peaks();
}

}  // namespace hipwright::runtime
