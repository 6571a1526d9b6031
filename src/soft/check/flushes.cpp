// SPDX-License-Identifier: MIT
#include "soft/check/flushes.h"

#include <algorithm>

namespace hipwright::soft {

namespace {

constexpr unsigned at(Counter counter) {
  return static_cast<unsigned>(counter);
}
constexpr unsigned at(StorePath path) {
  return static_cast<unsigned>(path);
}

// Several L2 caches, which do not see each other's stores.
bool needs_write_back(Isa isa) {
  return isa == Isa::kGfx942 || isa == Isa::kGfx950;
}

constexpr unsigned kDeviceScope = 2;

}  // namespace

void Flushes::begin(const Workgroup& group) {
  waves_.assign(group.waves.size(), {});
  if (group.waves.empty()) return;
  isa_ = group.waves.front().isa;
  for (State& state : waves_)
    state.store_counter = is_gfx9(isa_) ? Counter::kLoad : Counter::kStore;
}

void Flushes::waited(State& state, const WaitFor& wait) {
  for (unsigned c = 0; c < kCounters; ++c) {
    if (!wait[c] || state.issued[c] <= *wait[c]) continue;
    // Operations that end in any order are done only when none is left.
    if (*wait[c] != 0 && state.last_unordered[c] > state.done[c]) continue;
    state.done[c] = std::max(state.done[c], state.issued[c] - *wait[c]);
  }
  const auto drop = [](Queue& queue, std::uint64_t done) {
    while (!queue.stores.empty() && queue.stores.front().first <= done) queue.stores.pop_front();
  };
  drop(state.queues[at(StorePath::kLds)], state.done[at(Counter::kLds)]);
  drop(state.queues[at(StorePath::kLoads)], state.done[at(Counter::kLoad)]);
  drop(state.queues[at(StorePath::kGlobal)], state.done[at(state.store_counter)]);
  if (!wait[at(state.store_counter)]) return;
  const std::uint64_t stores_done = state.done[at(state.store_counter)];
  if (state.last_store > stores_done) return;
  if (needs_write_back(isa_) &&
      (!state.wrote_back || state.last_write_back > state.done[at(Counter::kLoad)]))
    return;
  // The fence covers what it could see: stores of other waves before the last barrier, too.
  state.dirty = Dirty::kNo;
  for (State& other : waves_)
    if (other.dirty == Dirty::kBeforeBarrier) other.dirty = Dirty::kNo;
}

void Flushes::before(const Wave& wave, const Inst& inst) {
  State& state = waves_[wave.id];
  if (inst.op->waits != Waits::kNone)
    return waited(state, wait_of(inst.op->waits, inst.simm16, wave.isa));
  const CountedBy counted = counted_by(inst, wave.isa);
  for (const auto& counter : {counted.first, counted.second}) {
    if (!counter) continue;
    const unsigned c = at(*counter);
    ++state.issued[c];
    if (counted.unordered) state.last_unordered[c] = state.issued[c];
  }
  if (inst.op->caches == Caches::kWrittenBackByScope && inst.memory.scope >= kDeviceScope) {
    state.wrote_back = true;
    state.last_write_back = state.issued[at(Counter::kLoad)];
  }
}

void Flushes::stored(const Wave& wave, const Inst& inst, Space space, std::uint32_t time) {
  State& state = waves_[wave.id];
  const CountedBy counted = counted_by(inst, wave.isa);
  // FLAT instructions that reach LDS are done when the LDS unit is.
  const std::optional<Counter> counts_as =
      space == Space::kLds && counted.second ? counted.second : counted.first;
  const Counter counter = counts_as.value_or(Counter::kLoad);
  if (space == Space::kGlobal) {
    state.last_store = state.issued[at(counter)];
    state.wrote_back = false;
    state.dirty = Dirty::kSinceBarrier;
    return push(state.queues[at(StorePath::kGlobal)], state.last_store, time);
  }
  if (space != Space::kLds) return;
  const bool by_loads = counter == Counter::kLoad;
  if (!by_loads) state.last_lds_store = state.issued[at(Counter::kLds)];
  push(state.queues[at(by_loads ? StorePath::kLoads : StorePath::kLds)], state.issued[at(counter)],
       time);
}

void Flushes::push(Queue& queue, std::uint64_t number, std::uint32_t time) {
  constexpr std::size_t kMost = 1024;
  if (queue.stores.size() < kMost) queue.stores.emplace_back(number, time);
}

void Flushes::fence(const Wave& wave) {
  waves_[wave.id].queues[at(StorePath::kGlobal)].stores.clear();
}

void Flushes::barrier() {
  for (State& state : waves_) {
    if (state.dirty == Dirty::kSinceBarrier) state.dirty = Dirty::kBeforeBarrier;
    for (Queue& queue : state.queues)
      queue.late = queue.stores.empty()
                       ? Times{1, 0}
                       : Times{queue.stores.front().second, queue.stores.back().second};
  }
}

bool Flushes::releases_device(const Wave& wave) const {
  if (waves_[wave.id].dirty != Dirty::kNo) return false;
  return std::ranges::none_of(
      waves_, [](const State& state) { return state.dirty == Dirty::kBeforeBarrier; });
}

bool Flushes::done(const Wave& wave, Space space) const {
  const State& state = waves_[wave.id];
  if (space == Space::kGlobal) return state.dirty == Dirty::kNo;
  const std::uint64_t current = state.issued[at(Counter::kLds)];
  return state.last_lds_store == current || state.last_lds_store <= state.done[at(Counter::kLds)];
}

bool Flushes::was_under_way(unsigned wave, std::uint32_t time, StorePath path) const {
  const auto& [first, last] = queue_of(waves_[wave], path).late;
  return time >= first && time <= last;
}

bool Flushes::is_under_way(unsigned wave, std::uint32_t time, StorePath path) const {
  const auto& stores = queue_of(waves_[wave], path).stores;
  return !stores.empty() && time >= stores.front().second && time <= stores.back().second;
}

}  // namespace hipwright::soft
