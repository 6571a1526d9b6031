// SPDX-License-Identifier: MIT
#include "soft/check/races.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "soft/check/accesses.h"
#include "soft/launch/launch.h"

namespace hipwright::soft {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u64 kLdsLocation = u64{1} << 63;

// An instruction that drops cached global memory at device scope: the acquire half of a fence.
bool acquires_device(const Inst& inst) {
  constexpr unsigned kDeviceScope = 2;
  return inst.op->caches == Caches::kDropped ||
         (inst.op->caches == Caches::kDroppedByScope && inst.memory.scope >= kDeviceScope);
}

// Loads and stores at a scope above the wave's are what atomic loads and stores compile to.
bool synchronises(const Inst& inst, const Access& access) {
  return access.kind == AccessKind::kAtomic ||
         (access.space == Space::kGlobal && inst.memory.scope >= 1 && !access.scalar);
}

// Loads from memory to LDS are done when the wave has waited for loads.
bool is_lds_operation(const Inst& inst) {
  return inst.op->kind == OpClass::kLds || inst.op->kind == OpClass::kFlat;
}

std::string_view counter_of(StorePath path, Isa isa) {
  const bool gfx12 = isa == Isa::kGfx12;
  switch (path) {
    case StorePath::kLds:
      return gfx12 ? "dscnt" : "lgkmcnt";
    case StorePath::kGlobal:
      if (!is_gfx9(isa)) return gfx12 ? "storecnt" : "vscnt";
      break;
    case StorePath::kLoads:
      break;
  }
  return gfx12 ? "loadcnt" : "vmcnt";
}

// Whether two atomics see each other whole.
bool in_scope(const RaceAccess& a, const RaceAccess& b) {
  const SyncScope scope = std::min(a.scope, b.scope);
  if (a.group != b.group) return scope >= SyncScope::kDevice;
  return a.wave == b.wave || scope >= SyncScope::kGroup;
}

// The bytes of a cell that an access touches.
u32 content_of(const Wave& wave, Space space, u64 address, unsigned bytes) {
  const u64 cell = address & ~u64{3};
  const std::uint8_t* memory =
      space == Space::kLds ? wave.group->lds + cell : reinterpret_cast<const std::uint8_t*>(cell);
  u32 content = 0;
  for (unsigned i = 0; i < 4; ++i)
    if ((bytes >> i) & 1U) content |= u32{memory[i]} << (8 * i);
  return content;
}

}  // namespace

LaunchRaces::~LaunchRaces() {
  for (CheckFinding& finding : harmless_) {
    const auto has = [&](FindingKind kind) { return findings_.has(kind, finding.place.address); };
    if (!has(FindingKind::kLdsRace) && !has(FindingKind::kGlobalRace) &&
        !has(FindingKind::kGridRace))
      findings_.add(std::move(finding));
  }
}

void LaunchRaces::seems_harmless(CheckFinding finding) {
  const std::lock_guard lock(mutex_);
  harmless_.push_back(std::move(finding));
}

LaunchRaces::Page* LaunchRaces::page(u64 number, const Wave& wave) {
  const std::lock_guard lock(mutex_);
  auto found = pages_.find(number);
  if (found == pages_.end()) {
    if (pages_.size() >= most_pages_) {
      if (!std::exchange(is_full_, true))
        findings_.add(
            {.kind = FindingKind::kUncheckedRaces,
             .kernel = kernel_of(wave),
             .actor = actor_of(wave),
             .what = fmt::format("only the first {} MiB that a launch touches are checked",
                                 (most_pages_ * kPageBytes) >> 20)});
      return nullptr;
    }
    found = pages_.emplace(number, std::make_unique<Page>()).first;
  }
  return found->second.get();
}

void LaunchRaces::release(u32 group, u32 time) {
  constexpr std::size_t kMost = 1024;
  const std::lock_guard lock(mutex_);
  Releases& releases = releases_[group];
  // Nearly always the latest.
  releases.times.insert(std::ranges::upper_bound(releases.times, time), time);
  if (releases.times.size() <= kMost) return;
  releases.times.pop_front();
  releases.forgot = true;
}

bool LaunchRaces::released(u32 group, u32 time, u32 until) {
  const std::lock_guard lock(mutex_);
  const auto found = releases_.find(group);
  if (found == releases_.end()) return false;
  const auto& times = found->second.times;
  if (found->second.forgot && time < times.front()) return true;
  const auto next = std::ranges::lower_bound(times, time);
  return next != times.end() && *next < until;
}

void RaceCheck::begin(const Workgroup& group) {
  group_ = static_cast<u32>(group.number);
  acquired_ = 0;
  const std::size_t count = group.waves.size();
  waves_.assign(count, {});
  clocks_.assign(count, WaveClocks(count, 0));
  for (std::size_t i = 0; i < count; ++i) {
    clocks_[i][i] = 1;
  }
  lds_.assign((group.lds_size + 3) / 4, {});
  locations_.clear();
  flushes_.begin(group);
  notes_ = nullptr;
  if (group.waves.empty()) return;
  const Wave& wave = group.waves.front();
  const toolchain::KernelDescriptor* const descriptor =
      group.launch ? group.launch->descriptor : nullptr;
  orders_stores_ = is_gfx9(wave.isa) || (descriptor && !descriptor->wgp_mode);
  if (group.launch && group.launch->request && group.launch->request->kernel) {
    const LoadedKernel& kernel = *group.launch->request->kernel;
    const SyncNotes& notes = kernel.image->sync_notes(kernel.wave_size);
    image_ = kernel.image;
    if (!notes.empty()) notes_ = &notes;
  }
  sync_.begin(group_, &clocks_);
  if (notes_) lds_sync_ = std::make_unique<SyncLocations>();
}

const RaceCheck::Noted& RaceCheck::noted(const Inst& inst) {
  static constexpr Noted kNothing;
  if (!notes_) return kNothing;
  const auto [known, is_new] = noted_.try_emplace(&inst);
  if (is_new)
    known->second = {.coverage = notes_->coverage(inst.address),
                     .access = notes_->access(inst.address),
                     .fence = notes_->fence(inst.address),
                     .is_library = image_->symbolize(inst.address).starts_with("__ockl_")};
  return known->second;
}

void RaceCheck::before(Wave& wave, const Inst& inst) {
  stores_ = 0;
  flushes_.before(wave, inst);
  WaveState& state = waves_[wave.id];
  state.recent[state.count++ % state.recent.size()] = &inst;
  const Noted& note = noted(inst);
  if (note.fence) {
    sync_.fence(wave.id, *note.fence, launch_->now());
    if (note.fence->releases && note.fence->scope >= SyncScope::kGroup) flushes_.fence(wave);
  }
  // The fence orders what the workgroup has read atomically until now.
  if (!note.known() && acquires_device(inst))
    acquired_ = std::max(acquired_, waves_[wave.id].sync_read);
}

bool RaceCheck::stores_loaded_data(const Wave& wave, const Inst& store) const {
  const Operand& data = store.src[1];  // behind the address
  if (!data.is_vector()) return false;
  const auto& [sync_read, reads, recent, count] = waves_[wave.id];
  for (std::size_t i = 1; i <= std::min<std::size_t>(count, recent.size()); ++i) {
    const Inst& inst = *recent[(count - i) % recent.size()];
    const auto fills = [&](const Operand& operand) {
      return operand.is_vector() && operand.index <= data.index &&
             data.index < operand.index + std::max<unsigned>(operand.dwords, 1);
    };
    if (std::ranges::any_of(inst.dst, fills)) return (inst.flags & kLoad) != 0;
  }
  return false;
}

void RaceCheck::barrier(const Workgroup&) {
  flushes_.barrier();
  sync_.barrier(launch_->now());
  WaveClocks all(waves_.size(), 0);
  for (const WaveClocks& clocks : clocks_)
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::max(all[i], clocks[i]);
  u32 sync_read = 0;
  for (std::size_t i = 0; i < waves_.size(); ++i) {
    clocks_[i] = all;
    ++clocks_[i][i];
    sync_read = std::max(sync_read, waves_[i].sync_read);
  }
  for (WaveState& state : waves_) state.sync_read = sync_read;
}

void RaceCheck::synchronise(Wave& wave, u64 location, bool acquires) {
  WaveClocks& clocks = clocks_[wave.id];
  WaveClocks& released = locations_[location];
  if (released.empty()) released.assign(waves_.size(), 0);
  for (std::size_t i = 0; i < released.size(); ++i) {
    if (acquires) clocks[i] = std::max(clocks[i], released[i]);
    released[i] = std::max(released[i], clocks[i]);
  }
}

void RaceCheck::acquire_from(Wave& wave, const RaceAccess& flag) {
  if (flag.group != group_) return launch_->release(flag.group, flag.time);
  WaveClocks& clocks = clocks_[wave.id];
  clocks[flag.wave] = std::max(clocks[flag.wave], flag.clock);
}

// Atomic stores are plain ones in shared memory on all targets, and in global memory (up to device
// scope) on the targets that has_plain_memory_atomics() names.
RaceCheck::Flag RaceCheck::flag_of(const Wave& wave, const Access& access,
                                   const RaceAccess& earlier, const RaceAccess& now) {
  if (!now.atomic || earlier.atomic || access.kind != AccessKind::kLoad || access.scalar)
    return Flag::kNo;
  const bool plain = access.space == Space::kLds || has_plain_memory_atomics(wave.isa);
  if (!plain || earlier.bytes != now.bytes) return Flag::kNo;
  return earlier.releases ? Flag::kReleased : Flag::kUnclear;
}

// Hardware may still be writing shared memory although the wave has gone on.
bool RaceCheck::under_way(const RaceAccess& earlier, const Wave& wave, const Inst& inst, bool lds) {
  if (earlier.group != group_ || earlier.instruction == 0 || earlier.atomic) return false;
  // Machine code alone does not tell a barrier that relies on the order of the hardware from one
  // whose wait is missing.
  if (!lds && orders_stores_ && noted(inst).coverage == SyncNotes::Coverage::kNone) return false;
  if (earlier.wave != wave.id)
    return flushes_.was_under_way(earlier.wave, earlier.time, earlier.path);
  // LDS instructions of one wave are done in order, and so are its global accesses to an address.
  return earlier.path == StorePath::kLoads &&
         flushes_.is_under_way(wave.id, earlier.time, StorePath::kLoads);
}

void RaceCheck::report_under_way(Wave& wave, const Inst& inst, const Access& access,
                                 const RaceAccess& earlier, RaceAccess now, u64 address) {
  if (!findings_.is_new(FindingKind::kMissingWait, inst.address)) return;
  CheckFinding finding;
  finding.kind = FindingKind::kMissingWait;
  finding.kernel = kernel_of(wave);
  finding.place = place_of(wave, inst);
  finding.actor = actor_of(wave, now.lane);
  finding.memory = address;
  const std::string where = access.space == Space::kLds
                                ? fmt::format("offset {:#x} of shared memory", address)
                                : fmt::format("{:#x} of global memory", address);
  finding.what = fmt::format("{} at {}, which a store {} writes: no wait for {}{}", text_of(access),
                             where, earlier.wave == wave.id ? "in flight" : "of another wave still",
                             counter_of(earlier.path, wave.isa),
                             earlier.wave == wave.id ? "" : " before the barrier");
  finding.other_role = "the store";
  finding.other = place_at(wave, (inst.address & ~u64{0xffffffff}) | earlier.instruction);
  Actor other;
  other.workgroup = wave.group->id;
  other.wave = earlier.wave;
  other.lane = earlier.lane;
  finding.other_actor = other;
  findings_.add(std::move(finding));
}

bool RaceCheck::ordered(const RaceAccess& earlier, const Wave& wave) const {
  if (earlier.group == group_)
    return earlier.wave == wave.id || clocks_[wave.id][earlier.wave] >= earlier.clock;
  if (notes_ && sync_.knows(wave.id, earlier.group, earlier.wave, earlier.clock, earlier.time))
    return true;
  return acquired_ > earlier.time && launch_->released(earlier.group, earlier.time, acquired_ + 1);
}

void RaceCheck::report(Wave& wave, const Race& race, std::optional<FindingKind> milder) {
  const auto& [at, access, now, earlier, earlier_writes, address, content] = race;
  const Inst& inst = *at;
  const bool across = earlier.group != group_;
  const bool same_value = milder == FindingKind::kSameValueRace;
  const FindingKind kind = milder                        ? *milder
                           : access.space == Space::kLds ? FindingKind::kLdsRace
                           : across                      ? FindingKind::kGridRace
                                                         : FindingKind::kGlobalRace;
  if (!findings_.is_new(kind, inst.address)) return;
  CheckFinding finding;
  finding.kind = kind;
  finding.kernel = kernel_of(wave);
  finding.place = place_of(wave, inst);
  finding.actor = actor_of(wave, now.lane);
  finding.memory = address;
  std::string where = fmt::format("{:#x}", address);
  if (access.space == Space::kLds) {
    where = fmt::format("offset {:#x} of shared memory", address);
  } else if (const auto found = wave.group->lookups->memory().find(address)) {
    // Bookkeeping of device malloc and printf does not belong to the program: the host takes part.
    if (found->kind == MemoryKind::kInternal) return;
    where += fmt::format(", {} bytes into allocation #{} ({} bytes)", address - found->begin,
                         found->id, found->size);
  }
  finding.what =
      fmt::format("{} at {}, not ordered after the other access{}", text_of(access), where,
                  earlier.atomic && now.atomic
                      ? "; both are atomic, but at a scope that does not include the other"
                  : kind == FindingKind::kUnclearFlag
                      ? "; machine code does not say whether that is an atomic store, and the wave "
                        "had not waited for its earlier stores"
                      : "");
  finding.other_role = fmt::format("the earlier {}{}", earlier.atomic ? "atomic " : "",
                                   earlier_writes ? "write" : "read");
  finding.other = place_at(wave, (inst.address & ~u64{0xffffffff}) | earlier.instruction);
  Actor other;
  other.wave = earlier.wave;
  other.lane = earlier.lane;
  if (!across) {
    other.workgroup = wave.group->id;
  } else if (wave.group->launch && wave.group->launch->request) {
    const auto& grid = wave.group->launch->request->grid;
    other.workgroup = {earlier.group % grid[0], earlier.group / grid[0] % grid[1],
                       earlier.group / grid[0] / grid[1]};
  }
  finding.other_actor = other;
  if (same_value)
    launch_->seems_harmless(std::move(finding));
  else
    findings_.add(std::move(finding));
}

bool RaceCheck::visit(Wave& wave, const Inst& inst, const Access& access, RaceCell& cell,
                      RaceAccess now, bool writes, u64 address) {
  const bool guesses = !noted(inst).known();
  if (now.atomic) cell.synchronises = true;
  if (guesses && access.kind == AccessKind::kStore && cell.synchronises) now.atomic = true;
  const auto conflicts = [&](const RaceAccess& earlier) {
    return earlier.instruction != 0 && (earlier.bytes & now.bytes) != 0 &&
           !(earlier.atomic && now.atomic && in_scope(earlier, now)) && !ordered(earlier, wave);
  };
  const auto races_with = [&](const RaceAccess& earlier, bool earlier_writes) {
    Race race{.inst = &inst,
              .access = access,
              .now = now,
              .earlier = earlier,
              .earlier_writes = earlier_writes,
              .address = address};
    if (earlier_writes && guesses) {
      const Flag flag = flag_of(wave, access, earlier, now);
      if (flag == Flag::kReleased) return acquire_from(wave, earlier);
      if (flag == Flag::kUnclear) return report(wave, race, FindingKind::kUnclearFlag);
    }
    if (access.kind != AccessKind::kStore) return report(wave, race, std::nullopt);
    race.content = content_of(wave, access.space, address, now.bytes);
    unsure_.push_back(race);
  };
  if (conflicts(cell.write))
    races_with(cell.write, true);
  else if ((cell.write.bytes & now.bytes) != 0 &&
           under_way(cell.write, wave, inst, access.space == Space::kLds))
    report_under_way(wave, inst, access, cell.write, now, address);
  if (writes) {
    for (const RaceAccess& read : cell.read)
      if (conflicts(read)) races_with(read, false);
    cell.write = now;
    cell.read = {};
    return now.atomic;
  }
  // One read per wave and workgroup is enough; of more than two, the last ones are kept.
  const auto same = [&](const RaceAccess& read) {
    return read.instruction == 0 || (read.wave == now.wave && read.group == now.group);
  };
  if (same(cell.read[0])) {
    cell.read[0] = now;
  } else {
    if (!same(cell.read[1])) cell.read[0] = cell.read[1];
    cell.read[1] = now;
  }
  return now.atomic;
}

LaunchRaces::Page* RaceCheck::page_of(u64 number, const Wave& wave) {
  KnownPage& known = pages_[number % pages_.size()];
  if (known.number != number || !known.page) known = {number, launch_->page(number, wave)};
  return known.page;
}

void RaceCheck::access(Wave& wave, const Inst& inst, const Access& access) {
  if (access.space == Space::kScratch) return;
  const bool lds = access.space == Space::kLds;
  const bool writes = access.kind != AccessKind::kLoad;
  const Noted& note = noted(inst);
  const bool atomic = is_atomic(inst, access, note);
  const u32 time = launch_->tick();
  if (note.is_library) {
    if (note.access) release(wave, access, *note.access, time);
    return;
  }
  if (const auto& [streams, operation] = launch_->operation(); !lds && operation != 0)
    streams->access(operation, wave, inst, access, atomic);
  WaveState& state = waves_[wave.id];
  if (access.kind == AccessKind::kStore) lane_conflicts(wave, inst, access);

  RaceAccess now{.instruction = static_cast<u32>(inst.address),
                 .time = time,
                 .clock = clocks_[wave.id][wave.id],
                 .group = group_,
                 .wave = static_cast<std::uint8_t>(wave.id),
                 .lane = 0,
                 .bytes = 0,
                 .atomic = atomic,
                 .releases = writes && flushes_.done(wave, access.space),
                 .path = !lds                     ? StorePath::kGlobal
                         : is_lds_operation(inst) ? StorePath::kLds
                                                  : StorePath::kLoads,
                 .scope = note.access ? note.access->scope : SyncScope::kSystem};
  const bool acquires = !writes || (inst.dst[0] && access.kind == AccessKind::kAtomic);
  bool synchronised = atomic;
  // Read by this wave since it last synchronised, and not written since: it was ordered then.
  const auto seen = [&](const RaceCell& cell) {
    const RaceAccess& last = cell.read[0];
    return !writes && !atomic && last.clock == now.clock && last.bytes == now.bytes &&
           last.wave == now.wave && last.group == group_ && last.instruction != 0 && !last.atomic;
  };
  u64 page_number = ~u64{0}, before = ~u64{0};
  LaunchRaces::Page* page = nullptr;
  std::unique_lock<std::mutex> lock;
  for (u64 rest = access.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const u64 begin = access.addresses[lane], end = begin + access.bytes;
    if (begin == before && !writes && !atomic) continue;  // as the lane before
    before = begin;
    now.lane = static_cast<std::uint8_t>(lane);
    if (atomic && !note.known()) synchronise(wave, begin | (lds ? kLdsLocation : 0), acquires);
    for (u64 at = begin & ~u64{3}; at < end; at += 4) {
      const u64 first = std::max(begin, at) - at, last = std::min(end, at + 4) - at;
      now.bytes = static_cast<std::uint8_t>(((1U << last) - 1) & ~((1U << first) - 1));
      if (lds) {
        if (at / 4 < lds_.size() && !seen(lds_[at / 4]) &&
            visit(wave, inst, access, lds_[at / 4], now, writes, std::max(begin, at)) && !atomic) {
          synchronise(wave, begin | kLdsLocation, false);
          synchronised = true;
        }
        continue;
      }
      if (at / LaunchRaces::kPageBytes != page_number) {
        if (lock) lock.unlock();
        page_number = at / LaunchRaces::kPageBytes;
        page = page_of(page_number, wave);
        if (page) lock = std::unique_lock(page->mutex);
      }
      if (!page) continue;
      RaceCell& cell = page->cells[at % LaunchRaces::kPageBytes / 4];
      if (!seen(cell) && visit(wave, inst, access, cell, now, writes, std::max(begin, at)) &&
          !atomic) {
        synchronise(wave, begin, false);
        synchronised = true;
      }
    }
  }
  if (writes && (lds || !synchronised)) flushes_.stored(wave, inst, access.space, time);
  if (note.access) release(wave, access, *note.access, time);
  if (!synchronised) return;
  // After this instruction the wave is in its next step: what it does then was not released.
  ++clocks_[wave.id][wave.id];
  if (lds || note.known()) return;
  if (writes && flushes_.releases_device(wave)) launch_->release(group_, time);
  state.reads = acquires;
}

bool RaceCheck::is_atomic(const Inst& inst, const Access& access, const Noted& noted) {
  if (noted.access || access.kind == AccessKind::kAtomic) return true;
  if (access.kind != AccessKind::kStore && spins_.begins_compare_and_swap(inst)) return true;
  if (noted.known()) return false;
  return synchronises(inst, access) ||
         (access.kind == AccessKind::kLoad && spins_.waits_for_change(inst));
}

void RaceCheck::release(Wave& wave, const Access& access, const SyncNote& note, u32 time) {
  const bool lds = access.space == Space::kLds;
  SyncLocations& locations = lds ? *lds_sync_ : launch_->locations();
  acquire_.note = access.kind == AccessKind::kStore ? nullptr : &note;
  acquire_.lds = lds;
  acquire_.since = time;
  acquire_.addresses.clear();
  u64 before = ~u64{0};
  for (u64 rest = access.mask; rest != 0; rest &= rest - 1) {
    const u64 address = access.addresses[std::countr_zero(rest)];
    if (address == before) continue;
    before = address;
    if (access.kind != AccessKind::kLoad)
      sync_.release(wave.id, note, locations, address, access.kind == AccessKind::kStore, time);
    if (acquire_.note) acquire_.addresses.push_back(address);
  }
}

// Other threads run at the same time: a release is dated before it happens and an acquire after,
// so that no access is dated later than the acquire that saw it.
void RaceCheck::after(Wave& wave) {
  for (const Race& race : unsure_) {
    const bool changes =
        race.content != content_of(wave, race.access.space, race.address, race.now.bytes);
    // Data that only happen to be what lies there already replace what others still read.
    const bool is_harmless =
        !changes && (race.earlier_writes || !stores_loaded_data(wave, *race.inst));
    report(wave, race, is_harmless ? std::optional(FindingKind::kSameValueRace) : std::nullopt);
  }
  unsure_.clear();
  if (const SyncNote* const note = std::exchange(acquire_.note, nullptr)) {
    SyncLocations& locations = acquire_.lds ? *lds_sync_ : launch_->locations();
    for (const u64 address : acquire_.addresses)
      sync_.acquire(wave.id, *note, locations, address, acquire_.since, launch_->now());
  }
  WaveState& state = waves_[wave.id];
  if (!state.reads) return;
  state.reads = false;
  state.sync_read = launch_->tick();
}

// Lanes of one instruction that write one address: which value stays is not defined.
void RaceCheck::lane_conflicts(Wave& wave, const Inst& inst, const Access& access) {
  if (inst.op->flags & kConvertsData) return;
  // The source that holds the data; other forms of stores are not checked.
  const Operand& data = inst.src[inst.op->kind == OpClass::kBuffer ? 0U
                                 : inst.op->kind == OpClass::kLds  ? 1U + stores_++ % 2U
                                                                   : 1U];
  if (!data.is_vector() || access.bytes > 4 || std::popcount(access.mask) < 2) return;
  std::array<std::pair<u64, unsigned>, 64> lanes;
  unsigned count = 0;
  for (u64 rest = access.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    lanes[count++] = {access.addresses[lane], lane};
  }
  // Rising addresses, the usual case, need no sorting.
  if (!std::is_sorted(lanes.begin(), lanes.begin() + count))
    std::sort(lanes.begin(), lanes.begin() + count);
  const u32 mask = access.bytes >= 4 ? ~0U : (1U << (8 * access.bytes)) - 1;
  const bool high = inst.op->part.first_byte == 2;
  const u32* values = wave.vgpr(data.index);
  for (unsigned i = 1; i < count; ++i) {
    if (lanes[i].first != lanes[i - 1].first) continue;
    const u32 a = (values[lanes[i - 1].second] >> (high ? 16 : 0)) & mask;
    const u32 b = (values[lanes[i].second] >> (high ? 16 : 0)) & mask;
    if (a == b) continue;
    if (!findings_.is_new(FindingKind::kLaneConflict, inst.address)) return;
    CheckFinding finding;
    finding.kind = FindingKind::kLaneConflict;
    finding.kernel = kernel_of(wave);
    finding.place = place_of(wave, inst);
    finding.actor = actor_of(wave, lanes[i].second);
    finding.memory = lanes[i].first;
    finding.what = fmt::format("lane {} writes {:#x} and lane {} writes {:#x} to {}{:#x}",
                               lanes[i - 1].second, a, lanes[i].second, b,
                               access.space == Space::kLds ? "offset " : "", lanes[i].first);
    findings_.add(std::move(finding));
    return;
  }
}

}  // namespace hipwright::soft
