// SPDX-License-Identifier: MIT
#include "soft/check/device_heap.h"

#include <fmt/format.h>

#include <bit>

#include "soft/check/accesses.h"
#include "soft/launch/launch.h"

namespace hipwright::soft {

namespace {

using u64 = std::uint64_t;

constexpr unsigned kReturnAddress = 30;  // s[30:31], in the calling convention of all targets

u64 lane_value(const Wave& wave, unsigned lane) {
  return wave.vgpr(0)[lane] | u64{wave.vgpr(1)[lane]} << 32;
}

// Blocks are asked for with something behind them, so that an overrun does not end in the next one.
void add_distance(Wave& wave, unsigned lane) {
  constexpr u64 kDistance = 16;
  const u64 size = lane_value(wave, lane);
  if (size == 0 || size > ~u64{0} - kDistance) return;
  wave.vgpr(0)[lane] = static_cast<std::uint32_t>(size + kDistance);
  wave.vgpr(1)[lane] = static_cast<std::uint32_t>((size + kDistance) >> 32);
}

}  // namespace

void DeviceHeap::allocated(const Memory& memory, u64 address, u64 size) {
  const auto slab = memory.find(address);
  if (!slab) return;
  const std::lock_guard lock(mutex_);
  // What was freed here is gone.
  auto at = blocks_.lower_bound(address);
  if (at != blocks_.begin() && std::prev(at)->second.end > address) --at;
  while (at != blocks_.end() && at->first < address + size) at = blocks_.erase(at);
  blocks_[address] = {address + size, false};
  slabs_[slab->begin] = slab->end();
  used_.store(true, std::memory_order_release);
}

const std::pair<const u64, DeviceHeap::Block>* DeviceHeap::block_before(u64 address) const {
  const auto next = blocks_.upper_bound(address);
  return next == blocks_.begin() ? nullptr : &*std::prev(next);
}

bool DeviceHeap::is_heap(u64 address) const {
  const auto next = slabs_.upper_bound(address);
  return next != slabs_.begin() && address < std::prev(next)->second;
}

void DeviceHeap::freed(const Wave& wave, u64 call, unsigned lane, u64 address) {
  if (address == 0) return;
  std::string what;
  {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(address);
    if (found != blocks_.end() && !found->second.freed) {
      found->second.freed = true;
      return;
    }
    what = found != blocks_.end()
               ? "was freed before"
               : "is no block of the device heap; free() takes what malloc() has returned";
  }
  if (!findings_.is_new(FindingKind::kDoubleFree, call)) return;
  CheckFinding finding;
  finding.kind = FindingKind::kDoubleFree;
  finding.kernel = kernel_of(wave);
  finding.place = place_at(wave, call);
  finding.actor = actor_of(wave, lane);
  finding.memory = address;
  finding.what = fmt::format("free({:#x}): the address {}", address, what);
  findings_.add(std::move(finding));
}

void DeviceHeap::check(const Wave& wave, const Inst& inst, const Access& access) {
  std::optional<unsigned> bad;
  {
    const std::lock_guard lock(mutex_);
    for (u64 rest = access.mask; rest != 0 && !bad; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const u64 address = access.addresses[lane];
      if (!is_heap(address)) continue;
      const auto* const block = block_before(address);
      if (!block || block->second.freed || address + access.bytes > block->second.end) bad = lane;
    }
  }
  if (bad) report(wave, inst, access, *bad);
}

void DeviceHeap::report(const Wave& wave, const Inst& inst, const Access& access, unsigned lane) {
  const u64 address = access.addresses[lane];
  // The memory may have become something else.
  const auto slab = wave.group->lookups->memory().find(address);
  if (!slab || slab->kind != MemoryKind::kInternal) return;
  std::string where = "before the first block of the device heap";
  bool freed = false;
  {
    const std::lock_guard lock(mutex_);
    if (const auto* const block = block_before(address)) {
      const auto& [begin, rest] = *block;
      freed = rest.freed && address < rest.end;
      where = freed ? fmt::format(
                          "{} bytes into a block of {} bytes of the device heap, which was "
                          "freed",
                          address - begin, rest.end - begin)
                    : fmt::format("{} bytes past the end of a block of {} bytes of the device heap",
                                  address + access.bytes - rest.end, rest.end - begin);
    }
  }
  const FindingKind kind = freed ? FindingKind::kUseAfterFree : FindingKind::kHeapOverflow;
  if (!findings_.is_new(kind, inst.address)) return;
  CheckFinding finding = finding_of(kind, wave, inst, access, lane);
  finding.what = fmt::format("{} at {:#x}: {}", text_of(access), address, where);
  findings_.add(std::move(finding));
}

void HeapCalls::begin(const Workgroup& group) {
  calls_.assign(group.waves.size(), {});
  const LaunchRequest* const request = group.launch ? group.launch->request : nullptr;
  const Image* const image = request && request->kernel ? request->kernel->image : nullptr;
  if (image == image_) return;
  image_ = image;
  allocate_ = image ? image->function("__ockl_dm_alloc") : 0;
  free_ = image ? image->function("__ockl_dm_dealloc") : 0;
  libraries_.clear();
}

void HeapCalls::before(Wave& wave, const Inst& inst) {
  if (allocate_ == 0 && free_ == 0) return;
  Call& call = calls_[wave.id];
  const u64 back = wave.scalars[kReturnAddress] | u64{wave.scalars[kReturnAddress + 1]} << 32;
  if (inst.address == call.back) {
    for (u64 rest = call.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      if (const u64 address = lane_value(wave, lane); address != 0)
        heap_.allocated(wave.group->lookups->memory(), address, call.sizes[lane]);
    }
    call.back = 0;
  }
  if (inst.address == allocate_) {
    call.back = back;
    call.lanes = wave.exec;
    call.sizes.resize(wave.lanes);
    for (unsigned lane = 0; lane < wave.lanes; ++lane) call.sizes[lane] = lane_value(wave, lane);
    for (u64 rest = wave.exec; rest != 0; rest &= rest - 1)
      add_distance(wave, static_cast<unsigned>(std::countr_zero(rest)));
  }
  if (inst.address == free_)
    for (u64 rest = wave.exec; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      heap_.freed(wave, back - 4, lane, lane_value(wave, lane));
    }
}

// The heap's own code, parts of which have no names.
bool HeapCalls::is_library(const Inst& inst) {
  const auto [known, is_new] = libraries_.try_emplace(&inst);
  if (is_new) {
    const std::string name = image_ ? image_->symbolize(inst.address) : std::string();
    known->second = name.starts_with("__ockl_") || name.starts_with("__unnamed_");
  }
  return known->second;
}

void HeapCalls::access(const Wave& wave, const Inst& inst, const Access& access) {
  if (access.space == Space::kGlobal && heap_.is_used() && !is_library(inst))
    heap_.check(wave, inst, access);
}

}  // namespace hipwright::soft
