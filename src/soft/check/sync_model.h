// SPDX-License-Identifier: MIT
// Order between waves as the memory model of C++ with scopes defines it, for code whose atomic
// accesses and fences are known (load/sync_notes.h): a release that an acquire reads from orders
// what came before it, if the scope of each includes the other.
//
// Workgroups run on several threads: a release is noted before its instruction, and an acquire
// after its own, with what the location held at any time in between.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "soft/check/known.h"
#include "soft/load/sync_notes.h"

namespace hipwright::soft {

// What atomics have released to one address.
struct SyncLocation {
  struct Content {
    Known device;                        // for everybody
    std::map<std::uint32_t, Known> own;  // for the workgroup that released it
  };
  Content now;
  // Replaced lately: time, content. An acquire that began earlier may have read it.
  std::deque<std::pair<std::uint32_t, Content>> before;
};

class SyncLocations {
 public:
  // With the lock of the address held.
  SyncLocation* find(std::uint64_t address);
  SyncLocation& get(std::uint64_t address);
  std::mutex& mutex(std::uint64_t address) { return shard(address).mutex; }

 private:
  struct Shard {
    std::mutex mutex;
    std::unordered_map<std::uint64_t, SyncLocation> locations;
  };
  Shard& shard(std::uint64_t address) { return shards_[(address >> 2) % shards_.size()]; }
  std::array<Shard, 64> shards_;
};

// The waves of one workgroup.
class GroupSync {
 public:
  // `clocks`: how far each wave knows the waves of its own workgroup.
  void begin(std::uint32_t group, std::vector<WaveClocks>* clocks);
  void fence(unsigned wave, const SyncNote& note, std::uint32_t now);
  // Before an atomic access of a lane; `replaces`: a plain store, which ends a release sequence.
  void release(unsigned wave, const SyncNote& note, SyncLocations& locations, std::uint64_t address,
               bool replaces, std::uint32_t now);
  // After it.
  void acquire(unsigned wave, const SyncNote& note, SyncLocations& locations, std::uint64_t address,
               std::uint32_t since, std::uint32_t now);
  // All waves have met.
  void barrier(std::uint32_t now);
  // Of another workgroup.
  bool knows(unsigned wave, std::uint32_t group, unsigned other_wave, std::uint32_t clock,
             std::uint32_t time) const {
    return waves_[wave].known.covers(group, other_wave, clock, time);
  }

 private:
  struct Reach {
    Known group, device;
  };
  struct State {
    Known known;     // ordered before what the wave does now
    Reach fenced;    // what its last fences release
    Reach awaiting;  // read by atomics without order: a fence acquires it
  };
  Known snapshot(unsigned wave, std::uint32_t now) const;
  void learn(unsigned wave, const Known& known, std::uint32_t now);

  std::uint32_t group_ = 0;
  std::vector<WaveClocks>* clocks_ = nullptr;
  std::vector<State> waves_;
};

}  // namespace hipwright::soft
