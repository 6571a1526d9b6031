// SPDX-License-Identifier: MIT
// Work that waits for the device: blocks used by other streams, segments being returned, and
// everything postponed during a capture.
#include "runtime/pool/pool.h"

namespace hipwright::runtime {

bool Pool::capturing(const Stream& stream) {
  if (!stream.state()) return false;  // the default stream cannot be captured
  const auto state = driver_->capture_state(native(stream));
  return state && *state != device::CaptureState::kNone;
}

device::Event Pool::take_event() {
  if (!events_.empty()) {
    const device::Event event = events_.back();
    events_.pop_back();
    return event;
  }
  const auto event = driver_->create_event(/*timed=*/false);
  return event ? *event : nullptr;
}

// Whether the work submitted to `stream` so far is done; if not, `event` completes with it.
Pool::Order Pool::order_of(const Stream& stream, device::Event& event) {
  if (const auto idle = driver_->idle(native(stream)); idle && *idle) return Order::kDone;
  event = take_event();
  if (event == nullptr) return Order::kUnknown;
  if (driver_->record(event, native(stream))) return Order::kPending;
  events_.push_back(event);
  return Order::kUnknown;
}

// Later work of `later` waits on the device for the work submitted to `earlier` so far.
bool Pool::order_after(Arena& earlier, Arena& later) {
  if (capturing(earlier.stream)) return false;
  device::Event event = nullptr;
  const Order order = order_of(earlier.stream, event);
  if (order != Order::kPending) return order == Order::kDone;
  const bool waits = driver_->wait(later.native(), event).has_value();
  // Reused only once it was reached: earlier waits must not see its next record.
  push_deferred(earlier.stream, {.event = event});
  return waits;
}

void Pool::push_deferred(const Stream& stream, const Deferred& deferred) {
  DeferredQueue& queue = deferred_[stream.state().get()];
  queue.stream = stream;
  queue.entries.push_back(deferred);
}

// Frees a block once the streams in its `uses` have finished their current work.
void Pool::defer(PoolBlock* block) {
  block->state = BlockState::kWaiting;
  bool captured = quiet();
  for (const Stream& stream : block->uses) captured = captured || capturing(stream);
  if (captured) {
    postponed_.push_back(block);
    retry_after_captures();
    return;
  }
  block->pending = 1;  // this function
  bool lost = false;
  for (const Stream& stream : block->uses) {
    device::Event event = nullptr;
    const Order order = order_of(stream, event);
    if (order == Order::kPending) {
      push_deferred(stream, {.event = event, .block = block});
      ++block->pending;
    } else if (order == Order::kUnknown && !driver_->synchronize(native(stream))) {
      lost = true;
    }
  }
  block->uses.clear();
  if (lost)
    block->state = BlockState::kLost;  // and pending stays over 0
  else if (--block->pending == 0)
    give_back(block);
}

// Captures of other owners do not notify this pool when they end. Its own scopes do, and a later
// allocation checks again.
void Pool::retry_after_captures() {
  if (retry_registered_ || scopes_ > 0) return;
  retry_registered_ =
      after_captures(*driver_, [this, driver = driver_] { static_cast<void>(driver), retry(); });
}

void Pool::retry() {
  std::unique_lock lock(mutex_);
  retry_registered_ = false;
  poll();
  release_abandoned();
  const bool last = unused();
  lock.unlock();
  if (last) dispose(this);
}

void Pool::poll() {
  if (quiet()) return retry_after_captures();
  retry_postponed(/*device_idle=*/false);
  std::vector<PoolBlock*> freed;
  for (auto& [key, queue] : deferred_) {
    if (capturing(queue.stream)) continue;
    while (!queue.entries.empty()) {
      const auto reached = driver_->reached(queue.entries.front().event);
      if (!reached || !*reached) break;
      finish(queue.entries.front(), freed);
      queue.entries.pop_front();
    }
  }
  std::erase_if(deferred_, [](const auto& item) { return item.second.entries.empty(); });
  for (PoolBlock* block : freed) give_back(block);
  if (trim_postponed_) trim();
}

// Its event was reached. Blocks are collected: freeing one may defer something else.
void Pool::finish(const Deferred& deferred, std::vector<PoolBlock*>& freed) {
  events_.push_back(deferred.event);
  if (deferred.block != nullptr && --deferred.block->pending == 0) freed.push_back(deferred.block);
  if (deferred.segment != nullptr && --deferred.segment->pending == 0)
    static_cast<void>(give_to_device(*deferred.segment));
}

void Pool::retry_postponed(bool device_idle) {
  for (PoolBlock* block : std::exchange(postponed_, {})) {
    if (block->segment->source != Source::kPool) {
      finish_unpooled(block, nullptr);
    } else if (device_idle) {
      block->uses.clear();
      give_back(block);
    } else {
      defer(block);
    }
  }
}

// Waits for the device, after which nothing is deferred. Returns false without waiting during a
// capture.
device::Outcome<bool> Pool::settle() {
  if (any_capture()) return false;
  device::Done done;
  if (!without_captures(*driver_, [&] { done = driver_->synchronize(); })) return false;
  HW_CHECK(done);
  std::vector<PoolBlock*> freed;
  for (auto& [key, queue] : std::exchange(deferred_, {}))
    for (const Deferred& deferred : queue.entries) finish(deferred, freed);
  for (PoolBlock* block : freed) give_back(block);
  retry_postponed(/*device_idle=*/true);
  return true;
}

}  // namespace hipwright::runtime
