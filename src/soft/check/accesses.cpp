// SPDX-License-Identifier: MIT
#include "soft/check/accesses.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace hipwright::soft {

namespace {

using u64 = std::uint64_t;

std::string text_of(const Allocation& allocation) {
  return fmt::format("allocation #{} ({} bytes at {:#x})", allocation.id, allocation.size,
                     allocation.begin);
}

FindingKind kind_of(const Access& access, u64 address, bool freed, bool inside) {
  if (access.space == Space::kLds) return FindingKind::kLdsOverrun;
  if (access.space == Space::kScratch) return FindingKind::kScratchOverrun;
  if (address < 4096) return FindingKind::kNullPointer;
  if (freed) return FindingKind::kUseAfterFree;
  return inside ? FindingKind::kReadOnly : FindingKind::kOutOfBounds;
}

}  // namespace

CheckFinding finding_of(FindingKind kind, const Wave& wave, const Inst& inst, const Access& access,
                        unsigned lane) {
  CheckFinding finding;
  finding.kind = kind;
  finding.kernel = kernel_of(wave);
  finding.place = place_of(wave, inst);
  finding.actor = actor_of(wave);
  if (!access.scalar) finding.actor.lane = lane;
  finding.memory = access.addresses[lane];
  return finding;
}

std::string text_of(const Access& access) {
  constexpr std::string_view kVerbs[] = {"load", "store", "atomic"};
  return fmt::format("{} of {} byte{}", kVerbs[static_cast<unsigned>(access.kind)], access.bytes,
                     access.bytes == 1 ? "" : "s");
}

std::string whereabouts(const Memory& memory, u64 address, unsigned bytes, bool* freed) {
  *freed = false;
  if (address < 4096) return "a null pointer, or a small offset from one";
  const Memory::Neighbours around = memory.around(address);
  if (around.below && address < around.below->end()) {
    if (address + bytes <= around.below->end())
      return around.below->writable
                 ? fmt::format("inside {} of device {}, to which this one has no peer access",
                               text_of(*around.below), around.below->owner)
                 : fmt::format("inside {}, which is read-only", text_of(*around.below));
    return fmt::format("{} bytes of it are past the end of {}",
                       address + bytes - around.below->end(), text_of(*around.below));
  }
  if (around.freed) {
    *freed = true;
    return fmt::format("{} bytes into {}, which was freed", address - around.freed->begin,
                       text_of(*around.freed));
  }
  constexpr u64 kFar = u64{1} << 30;
  const u64 after = around.below ? address - around.below->end() : ~u64{0};
  const u64 before = around.above ? around.above->begin - address : ~u64{0};
  if (std::min(after, before) > kFar) return "no allocation is nearby";
  if (after <= before)
    return fmt::format("{} bytes after the end of {}", after, text_of(*around.below));
  return fmt::format("{} bytes before {}", before, text_of(*around.above));
}

void report_bad_address(Findings& findings, const Wave& wave, const Inst& inst,
                        const Access& access, u64 lanes) {
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  const u64 address = access.addresses[lane];
  std::string where;
  bool freed = false, inside = false;
  switch (access.space) {
    case Space::kLds:
      where = fmt::format("the workgroup has {} bytes of shared memory", wave.group->lds_size);
      break;
    case Space::kScratch:
      where = fmt::format("a thread has {} bytes of private memory", wave.group->scratch_per_lane);
      break;
    case Space::kGlobal: {
      const Memory& memory = wave.group->lookups->memory();
      where = whereabouts(memory, address, access.bytes, &freed);
      const auto found = memory.find(address);
      inside = found && address + access.bytes <= found->end();
    }
  }
  const u64 end = address + access.bytes;
  if (access.space == Space::kLds) inside = end <= wave.group->lds_size;
  if (access.space == Space::kScratch) inside = end <= wave.group->scratch_per_lane;
  const bool misaligned = inside && access.kind == AccessKind::kAtomic &&
                          std::has_single_bit(access.bytes) && address % access.bytes != 0;
  const FindingKind kind =
      misaligned ? FindingKind::kMisalignedAtomic : kind_of(access, address, freed, inside);
  if (!findings.is_new(kind, inst.address)) return;
  CheckFinding finding = finding_of(kind, wave, inst, access, lane);
  const auto count = std::popcount(lanes);
  finding.what = fmt::format("{} at {}{:#x}: {}{}", text_of(access),
                             access.space == Space::kGlobal ? "" : "offset ", address,
                             misaligned ? "atomics must be aligned to their size" : where,
                             count > 1 ? fmt::format(" ({} lanes)", count) : "");
  findings.add(std::move(finding));
}

void check_arguments(Findings& findings, const Wave& wave, const Inst& inst, const Access& access) {
  const LaunchState* const launch = wave.group->launch;
  if (access.space != Space::kGlobal || !launch || launch->arguments_end == 0) return;
  // Compilers load whole vectors where only a part of one is arguments, none behind the last one.
  constexpr u64 kVector = 16;
  const u64 end = (launch->arguments_end + kVector - 1) / kVector * kVector;
  for (u64 rest = access.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const u64 address = access.addresses[lane];
    if (address + access.bytes <= end && address < launch->arguments_end) continue;
    if (address >= launch->arguments_block_end) continue;
    if (!findings.is_new(FindingKind::kKernelArguments, inst.address)) return;
    CheckFinding finding = finding_of(FindingKind::kKernelArguments, wave, inst, access, lane);
    finding.what = fmt::format("{} at {:#x}: {} bytes behind the last argument", text_of(access),
                               address, address + access.bytes - launch->arguments_end);
    return findings.add(std::move(finding));
  }
}

void check_alignment(Findings& findings, const Wave& wave, const Inst& inst, const Access& access) {
  // The compiler lays out private memory: it copies small arrays in dwords wherever they lie.
  if (access.space == Space::kScratch) return;
  // Hardware accepts any address; a misaligned dword is still slow, and usually a wrong pointer.
  // Pairs of bytes that the compiler loads at once are neither.
  constexpr u64 alignment = 4;
  if (access.bytes < alignment) return;
  u64 low_bits = 0;
  for (u64 rest = access.scalar ? 1 : access.mask; rest != 0; rest &= rest - 1)
    low_bits |= access.addresses[std::countr_zero(rest)];
  if ((low_bits & (alignment - 1)) == 0) return;
  unsigned lane = 0;
  for (u64 rest = access.mask; rest != 0; rest &= rest - 1) {
    lane = static_cast<unsigned>(std::countr_zero(rest));
    if (access.addresses[lane] & (alignment - 1)) break;
  }
  // Text on its way through printf: literals, and the runtime's buffers.
  if (access.space == Space::kGlobal)
    if (const auto found = wave.group->lookups->memory().find(access.addresses[lane]))
      if (found->kind == MemoryKind::kCode || found->kind == MemoryKind::kInternal) return;
  if (!findings.is_new(FindingKind::kMisaligned, inst.address)) return;
  CheckFinding finding = finding_of(FindingKind::kMisaligned, wave, inst, access, lane);
  finding.what = fmt::format("{} at {}{:#x}, which is not a multiple of {}", text_of(access),
                             access.space == Space::kGlobal ? "" : "offset ",
                             access.addresses[lane], alignment);
  findings.add(std::move(finding));
}

}  // namespace hipwright::soft
