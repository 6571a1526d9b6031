// SPDX-License-Identifier: MIT
// Global wave sync (gfx9): 64 counters of a launch, used as barriers or as semaphores by waves of
// all its workgroups.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>

#include "soft/exec/wave.h"

namespace hipwright::soft {

class GlobalSync {
 public:
  static constexpr unsigned kResources = 64;

  // As the runtime does for a cooperative launch: resource 0 is a barrier of `groups` arrivals.
  explicit GlobalSync(std::uint64_t groups = 0);

  void init(unsigned resource, std::uint32_t value);
  // False: nobody has initialised the resource; hardware would use what an earlier kernel left.
  bool is_ready(unsigned resource);
  // The next ones return false while the wave has to wait; it calls again later.
  // `next`: how many arrivals the following round lacks after its first one.
  bool arrive(unsigned resource, std::uint32_t next, Wave& wave);
  bool take(unsigned resource, Wave& wave);
  void give(unsigned resource, std::uint32_t count);
  void release_all(unsigned resource);

 private:
  struct Resource {
    bool ready = false;
    std::uint32_t counter = 0;
    std::uint64_t round = 1;  // completed barriers and releases
  };
  std::mutex mutex_;
  std::array<Resource, kResources> resources_;
};

// ds_gws_*: what each does with the resource that offset and M0 name. `value`: of the first active
// lane.
enum class GlobalSyncAction : std::uint8_t {
  kInit,
  kBarrier,
  kTake,
  kGive,
  kGiveMany,
  kReleaseAll
};
void global_sync(Wave& wave, const Inst& inst, GlobalSyncAction action, std::uint32_t value);

}  // namespace hipwright::soft
