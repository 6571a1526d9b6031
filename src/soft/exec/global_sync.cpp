// SPDX-License-Identifier: MIT
#include "soft/exec/global_sync.h"

#include "soft/exec/workgroup.h"

namespace hipwright::soft {

GlobalSync::GlobalSync(std::uint64_t groups) {
  if (groups != 0) init(0, static_cast<std::uint32_t>(groups - 1));
}

void GlobalSync::init(unsigned resource, std::uint32_t value) {
  const std::lock_guard lock(mutex_);
  resources_[resource].ready = true;
  resources_[resource].counter = value;
}

bool GlobalSync::is_ready(unsigned resource) {
  const std::lock_guard lock(mutex_);
  return resources_[resource].ready;
}

bool GlobalSync::arrive(unsigned resource, std::uint32_t next, Wave& wave) {
  const std::lock_guard lock(mutex_);
  Resource& barrier = resources_[resource];
  if (wave.global_round != 0) {
    if (wave.global_round == barrier.round) return false;
    wave.global_round = 0;
    return true;
  }
  if (barrier.counter == 0) {
    ++barrier.round;
    barrier.counter = next;
    return true;
  }
  --barrier.counter;
  wave.global_round = barrier.round;
  return false;
}

bool GlobalSync::take(unsigned resource, Wave& wave) {
  const std::lock_guard lock(mutex_);
  Resource& semaphore = resources_[resource];
  const bool released = wave.global_round != 0 && wave.global_round != semaphore.round;
  if (!released && semaphore.counter == 0) {
    wave.global_round = semaphore.round;
    return false;
  }
  if (!released) --semaphore.counter;
  wave.global_round = 0;
  return true;
}

void GlobalSync::give(unsigned resource, std::uint32_t count) {
  const std::lock_guard lock(mutex_);
  resources_[resource].counter += count;
}

void GlobalSync::release_all(unsigned resource) {
  const std::lock_guard lock(mutex_);
  ++resources_[resource].round;
  resources_[resource].counter = 0;
}

void global_sync(Wave& wave, const Inst& inst, GlobalSyncAction action, std::uint32_t value) {
  GlobalSync* const sync =
      wave.group && wave.group->launch ? wave.group->launch->global_sync.get() : nullptr;
  if (!sync) return wave.unsupported(inst, "global wave sync outside a launch");
  const unsigned resource =
      (static_cast<unsigned>(inst.memory.offset) + (wave.scalars[kM0] >> 16)) %
      GlobalSync::kResources;
  if (action == GlobalSyncAction::kInit) return sync->init(resource, value);
  if (!sync->is_ready(resource))
    return wave.unsupported(inst,
                            "the global wave sync resource is not initialised: ds_gws_init or a "
                            "cooperative launch does that");
  bool goes_on = true;
  switch (action) {
    case GlobalSyncAction::kBarrier:
      goes_on = sync->arrive(resource, value, wave);
      break;
    case GlobalSyncAction::kTake:
      goes_on = sync->take(resource, wave);
      break;
    case GlobalSyncAction::kGive:
      sync->give(resource, 1);
      break;
    case GlobalSyncAction::kGiveMany:
      sync->give(resource, value);
      break;
    case GlobalSyncAction::kReleaseAll:
      sync->release_all(resource);
      break;
    case GlobalSyncAction::kInit:
      break;
  }
  if (goes_on) return;
  wave.next = &inst;
  wave.state = WaveState::kSleeping;
}

}  // namespace hipwright::soft
