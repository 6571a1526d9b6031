// SPDX-License-Identifier: MIT
// Undefined values on their way to and from memory. Global memory counts as defined; LDS and
// scratch have a shadow byte for each byte.
#include <algorithm>
#include <bit>
#include <cstring>

#include "soft/check/registers.h"

namespace hipwright::soft {

namespace {

using u64 = std::uint64_t;

// The sources that are data rather than addresses: first and one past the last.
struct DataSources {
  unsigned begin = 0, end = 0;
};
DataSources data_sources(const Inst& inst) {
  if (!(inst.op->flags & (kStore | kAtomic)) || (inst.flags & kDataInLds) || inst.memory.lds)
    return {};
  if (inst.flags & kLaneAddress) return {0, 1};
  switch (inst.op->kind) {
    case OpClass::kLds:
      return {1, 3};
    case OpClass::kBuffer:
    case OpClass::kImage:
      return {0, 1};
    case OpClass::kScalarMemory:
      return {0, 1};
    default:
      return {1, 2};
  }
}

// `bytes`: a multiple of four.
bool all_zero(const std::uint8_t* shadow, unsigned bytes) {
  std::uint32_t any = 0;
  for (unsigned i = 0; i < bytes; i += 4) {
    std::uint32_t part = 0;
    std::memcpy(&part, shadow + i, 4);
    any |= part;
  }
  return any == 0;
}

}  // namespace

void RegisterCheck::memory(Wave& wave, const Inst& inst) {
  WaveShadow& shadow = *waves_[wave.id];
  const DataSources data = data_sources(inst);
  transfer_.data.clear();
  transfer_.data_approximate = 0;
  transfer_.data_origin = 0;
  transfer_.cursor.fill(0);

  const bool per_lane = inst.op->kind != OpClass::kScalarMemory;
  const LaneMask lanes = per_lane ? wave.exec : ~u64{0};
  for (unsigned i = 0; i < inst.src.size(); ++i) {
    const Operand& operand = inst.src[i];
    if (!operand) continue;
    const LaneMask undefined = source_lanes(wave, inst, i) & lanes;
    LaneMask approx = operand.is_scalar() && approximate(wave, operand) ? ~u64{0} : 0;
    if (operand.is_vector())
      for (unsigned k = 0; k < operand.dwords && operand.index + k < kVectorRows; ++k)
        approx |= shadow.vector_approximate[operand.index + k];
    if (i >= data.begin && i < data.end) {
      for (unsigned k = 0; k < std::max<unsigned>(operand.dwords, 1); ++k)
        transfer_.data.push_back(source_dword(wave, inst, i, k));
      transfer_.data_approximate |= approx;
      if (undefined != 0) transfer_.data_origin = origin_of(wave, operand, lanes);
      continue;
    }
    if (undefined != 0)
      report(wave, inst, FindingKind::kUninitialisedAddress, origin_of(wave, operand, lanes),
             per_lane ? undefined : 0, "");
    if ((approx & lanes) != 0 && fidelity_) fidelity_->approximate_use(wave, inst, false);
  }

  const Operand& to = inst.dst[0];
  const RegisterPart& part = inst.op->part;
  if (to.is_scalar()) return write_scalar(wave, inst, to, 0, 0, false);
  if (!to.is_vector()) return;
  for (unsigned k = 0; k < std::max<unsigned>(to.dwords, 1) && to.index + k < kVectorRows; ++k) {
    UndefinedBytes& bytes = shadow.vector[to.index + k];
    for (unsigned i = 0; i < 4; ++i)
      if (!part.keeps_rest || i / 2 == part.first_byte / 2U) bytes.byte[i] &= ~lanes;
    shadow.vector_approximate[to.index + k] &= ~lanes;
  }
}

void RegisterCheck::access(Wave& wave, const Inst& inst, const Access& access) {
  if (access.scalar || !(inst.op->flags & (kLoad | kStore | kAtomic))) return;
  const RegisterPart& part = inst.op->part;
  WaveShadow& shadow = *waves_[wave.id];
  const bool reads = access.kind != AccessKind::kStore;
  const bool writes = access.kind != AccessKind::kLoad;
  const bool global = access.space == Space::kGlobal;

  // An atomic's operands belong together, and so does what is converted; else a store's data go
  // byte by byte.
  const bool belong_together =
      access.kind == AccessKind::kAtomic || (inst.op->flags & kConvertsData) != 0;
  LaneMask data_undefined = 0;
  for (const UndefinedBytes& each : transfer_.data) data_undefined |= each.any();
  if (global && (!writes || (data_undefined & access.mask) == 0)) return;

  std::vector<std::uint8_t>& cells = access.space == Space::kLds ? lds_ : shadow.scratch;
  const auto cell = [&](unsigned lane, u64 address, unsigned bytes = 1) -> std::uint8_t* {
    const u64 at =
        access.space == Space::kLds ? address : u64{lane} * wave.group->scratch_per_lane + address;
    return at < cells.size() && bytes <= cells.size() - at ? &cells[at] : nullptr;
  };
  const bool whole_dwords = !global && access.bytes % 4 == 0;
  const bool inactive = transfer_.data_origin != 0 && transfer_.data_origin <= origins_.size() &&
                        origins_[transfer_.data_origin - 1].kind == Origin::Kind::kInactiveLane;
  const bool is_copy = access.kind == AccessKind::kStore && transfer_.data_origin != 0 &&
                       transfer_.data_origin <= origins_.size() &&
                       (origins_[transfer_.data_origin - 1].kind == Origin::Kind::kLds ||
                        origins_[transfer_.data_origin - 1].kind == Origin::Kind::kScratch);
  const std::uint8_t undefined_byte = inactive ? kUndefinedByte | kInactiveByte : kUndefinedByte;
  LaneMask stored = 0;
  OriginId from_memory = 0;
  const Operand& to = inst.dst[0];
  for (LaneMask rest = access.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const LaneMask bit = LaneMask{1} << lane;
    const unsigned cursor = transfer_.cursor[lane];
    transfer_.cursor[lane] = static_cast<std::uint16_t>(cursor + access.bytes);
    // The usual case: what is there is defined and exact, and so is what comes.
    if (whole_dwords && !(writes && ((data_undefined | transfer_.data_approximate) & bit))) {
      std::uint8_t* there = cell(lane, access.addresses[lane], access.bytes);
      if (there && (!reads || all_zero(there, access.bytes))) {
        if (writes) std::memset(there, 0, access.bytes);
        continue;
      }
    }
    bool last_undefined = false;
    unsigned undefined_bytes = 0;
    for (unsigned j = 0; j < access.bytes; ++j) {
      std::uint8_t* memory = global ? nullptr : cell(lane, access.addresses[lane] + j);
      const std::uint8_t old = memory ? *memory : 0;
      const unsigned at = part.first_byte + cursor + j;
      last_undefined = reads && (old & kUndefinedByte) != 0;
      if (reads && to.is_vector() && old != 0 && to.index + at / 4 < kVectorRows) {
        if (old & kUndefinedByte) {
          if (old & kInactiveByte)
            from_memory = last_inactive_;
          else if (from_memory == 0)
            from_memory = origin(
                {.kind = access.space == Space::kLds ? Origin::Kind::kLds : Origin::Kind::kScratch,
                 .address = inst.address});
          shadow.vector[to.index + at / 4].byte[at % 4] |= bit;
          shadow.vector_origin[to.index + at / 4] = from_memory;
        }
        if (old & kApproximateByte) shadow.vector_approximate[to.index + at / 4] |= bit;
      }
      if (!writes) continue;
      const bool undefined = belong_together ? (data_undefined & bit) != 0
                                             : at / 4 < transfer_.data.size() &&
                                                   (transfer_.data[at / 4].byte[at % 4] & bit);
      undefined_bytes += undefined;
      if (!memory) continue;
      const auto now =
          static_cast<std::uint8_t>((undefined ? undefined_byte : 0) |
                                    (transfer_.data_approximate & bit ? kApproximateByte : 0));
      *memory = access.kind == AccessKind::kAtomic ? static_cast<std::uint8_t>(old | now) : now;
    }
    // Copied from memory with some bytes defined and others not: a struct with its padding.
    if (undefined_bytes == access.bytes || (undefined_bytes != 0 && !is_copy)) stored |= bit;
    // A narrow value fills the rest of its register with copies of its sign.
    if (last_undefined && part.sign && access.bytes < 4 && to.is_vector()) {
      const unsigned end = part.keeps_rest ? 2U : 4U;
      for (unsigned j = access.bytes; j < end; ++j)
        shadow.vector[to.index].byte[part.first_byte + j] |= bit;
    }
  }
  if (global && stored != 0)
    report(wave, inst, FindingKind::kUninitialisedStore, transfer_.data_origin, stored, "");
}

}  // namespace hipwright::soft
