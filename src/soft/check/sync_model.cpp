// SPDX-License-Identifier: MIT
#include "soft/check/sync_model.h"

#include <algorithm>

namespace hipwright::soft {

SyncLocation* SyncLocations::find(std::uint64_t address) {
  auto& locations = shard(address).locations;
  const auto found = locations.find(address);
  return found == locations.end() ? nullptr : &found->second;
}

SyncLocation& SyncLocations::get(std::uint64_t address) {
  return shard(address).locations[address];
}

void GroupSync::begin(std::uint32_t group, std::vector<WaveClocks>* clocks) {
  group_ = group;
  clocks_ = clocks;
  waves_.assign(clocks->size(), {});
}

Known GroupSync::snapshot(unsigned wave, std::uint32_t now) const {
  Known known = waves_[wave].known;
  known.join(group_, (*clocks_)[wave], now);
  return known;
}

void GroupSync::learn(unsigned wave, const Known& known, std::uint32_t now) {
  waves_[wave].known.join(known, now);
  if (const WaveClocks* const own = known.of(group_)) {
    WaveClocks& clocks = (*clocks_)[wave];
    for (std::size_t i = 0; i < clocks.size(); ++i) clocks[i] = std::max(clocks[i], (*own)[i]);
  }
}

void GroupSync::fence(unsigned wave, const SyncNote& note, std::uint32_t now) {
  if (note.scope < SyncScope::kGroup) return;
  State& state = waves_[wave];
  const bool device = note.scope >= SyncScope::kDevice;
  if (note.acquires) {
    learn(wave, state.awaiting.group, now);
    if (device) learn(wave, state.awaiting.device, now);
  }
  if (!note.releases) return;
  state.fenced.group = snapshot(wave, now);
  if (device) state.fenced.device = state.fenced.group;
  ++(*clocks_)[wave][wave];
}

void GroupSync::release(unsigned wave, const SyncNote& note, SyncLocations& locations,
                        std::uint64_t address, bool replaces, std::uint32_t now) {
  if (note.scope < SyncScope::kGroup) return;
  State& state = waves_[wave];
  Reach reach = state.fenced;
  if (note.releases) {
    reach.group = snapshot(wave, now);
    reach.device = reach.group;
  }
  if (note.scope < SyncScope::kDevice) reach.device = {};
  const std::lock_guard lock(locations.mutex(address));
  SyncLocation* location = locations.find(address);
  if (!location && reach.group.empty() && reach.device.empty()) return;
  if (!location) location = &locations.get(address);
  if (replaces) {
    constexpr std::size_t kMostBefore = 4;
    location->before.emplace_back(now, std::move(location->now));
    if (location->before.size() > kMostBefore) location->before.pop_front();
    location->now = {};
  }
  location->now.device.join(reach.device, now);
  location->now.own[group_].join(reach.group, now);
}

void GroupSync::acquire(unsigned wave, const SyncNote& note, SyncLocations& locations,
                        std::uint64_t address, std::uint32_t since, std::uint32_t now) {
  if (note.scope < SyncScope::kGroup) return;
  Reach found;
  {
    const std::lock_guard lock(locations.mutex(address));
    const SyncLocation* const location = locations.find(address);
    if (!location) return;
    const auto take = [&](const SyncLocation::Content& content) {
      if (note.scope >= SyncScope::kDevice) found.device.join(content.device, now);
      if (const auto own = content.own.find(group_); own != content.own.end())
        found.group.join(own->second, now);
    };
    take(location->now);
    for (const auto& [time, content] : location->before)
      if (time >= since) take(content);
  }
  State& state = waves_[wave];
  state.awaiting.group.join(found.group, now);
  state.awaiting.device.join(found.device, now);
  if (!note.acquires) return;
  learn(wave, found.group, now);
  learn(wave, found.device, now);
}

void GroupSync::barrier(std::uint32_t now) {
  State all;
  for (const State& state : waves_) {
    all.known.join(state.known, now);
    for (const auto part : {&State::fenced, &State::awaiting}) {
      (all.*part).group.join((state.*part).group, now);
      (all.*part).device.join((state.*part).device, now);
    }
  }
  std::ranges::fill(waves_, all);
}

}  // namespace hipwright::soft
