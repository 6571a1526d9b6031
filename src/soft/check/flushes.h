// SPDX-License-Identifier: MIT
// Which stores of a workgroup other waves can rely on. A store leaves its wave when it is issued
// and reaches memory when the wave has waited for it; on gfx942 and gfx950 other parts of the
// device see it only after a write-back of the L2 cache, too (LLVM's AMDGPUUsage, "Memory Model").
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "soft/check/waits.h"
#include "soft/exec/access.h"

namespace hipwright::soft {

// What a wave's stores wait in until they are done.
enum class StorePath : std::uint8_t {
  kLds,     // to shared memory
  kLoads,   // from memory to shared memory: counted as loads
  kGlobal,  // to global memory
};

class Flushes {
 public:
  void begin(const Workgroup& group);
  // Before the instruction: waits, write-backs, and what it adds to the counters.
  void before(const Wave& wave, const Inst& inst);
  // A store that is not atomic, at this time of the launch.
  void stored(const Wave& wave, const Inst& inst, Space space, std::uint32_t time);
  // A fence of the source that releases to the workgroup or further: the compiler has put the waits
  // that the target needs.
  void fence(const Wave& wave);
  // All waves of the group have met.
  void barrier();

  // Whether an atomic of the wave publishes what the wave did before, and what the other waves did
  // before the last barrier, to the whole device.
  bool releases_device(const Wave& wave) const;
  // Whether all earlier stores of the wave to this space are done.
  bool done(const Wave& wave, Space space) const;

  // Whether a store was still under way when its wave arrived at a barrier (or is now, for the wave
  // itself): hardware may complete it later.
  bool was_under_way(unsigned wave, std::uint32_t time, StorePath path) const;
  bool is_under_way(unsigned wave, std::uint32_t time, StorePath path) const;

 private:
  enum class Dirty : std::uint8_t { kNo, kBeforeBarrier, kSinceBarrier };
  using Times = std::pair<std::uint32_t, std::uint32_t>;  // first and last
  // Stores on one path, oldest first.
  struct Queue {
    std::deque<std::pair<std::uint64_t, std::uint32_t>> stores;  // number, time
    Times late{1, 0};                                            // those of the last barrier
  };
  struct State {
    std::array<std::uint64_t, kCounters> issued{}, done{}, last_unordered{};
    std::uint64_t last_store = 0, last_write_back = 0, last_lds_store = 0;
    Counter store_counter = Counter::kLoad;
    bool wrote_back = false;  // after the last store
    Dirty dirty = Dirty::kNo;
    std::array<Queue, 3> queues;  // by StorePath
  };
  void waited(State& state, const WaitFor& wait);
  static const Queue& queue_of(const State& state, StorePath path) {
    return state.queues[static_cast<unsigned>(path)];
  }
  static void push(Queue& queue, std::uint64_t number, std::uint32_t time);

  Isa isa_ = Isa::kGfx942;
  std::vector<State> waves_;
};

}  // namespace hipwright::soft
