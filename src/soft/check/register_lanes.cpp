// SPDX-License-Identifier: MIT
// RegisterCheck: instructions that move values between lanes.
#include "soft/check/registers.h"

#include <bit>

#include "soft/check/source_lanes.h"

namespace hipwright::soft {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// A scalar register that is spilled to a lane: lane masks have undefined bits for lanes that do not
// run, and those must not spoil the other bits of their byte.
UndefinedBytes spilled(u32 undefined) {
  UndefinedBytes bytes;
  for (unsigned i = 0; i < 4; ++i)
    bytes.byte[i] = ((undefined >> (8 * i)) & 0xffU) == 0xffU ? ~u64{0} : 0;
  return bytes;
}
u32 bits_of(const UndefinedBytes& bytes, unsigned lane) {
  u32 bits = 0;
  for (unsigned i = 0; i < 4; ++i)
    if ((bytes.byte[i] >> lane) & 1U) bits |= 0xffU << (8 * i);
  return bits;
}

}  // namespace

void RegisterCheck::read_lane(Wave& wave, const Inst& inst) {
  const bool first = inst.op->lanes == LaneUse::kReadFirst;
  WaveShadow& shadow = *waves_[wave.id];
  const Operand& operand = inst.src[0];
  const Operand& to = inst.dst[0];
  if (!operand.is_vector()) return write_scalar(wave, inst, to, 0, 0, false);
  unsigned lane = wave.exec == 0 ? 0U : static_cast<unsigned>(std::countr_zero(wave.exec));
  if (!first) lane = wave.read32(inst.src[1]) & (wave.lanes - 1U);
  u64 undefined = bits_of(shadow.vector[operand.index], lane);
  OriginId from = shadow.vector_origin[operand.index];
  if (!first && scalar_value(wave, inst.src[1], false).undefined != 0) {
    undefined = 0xffffffffU;
    from = origin_of(wave, inst.src[1]);
  }
  write_scalar(wave, inst, to, undefined, from,
               (shadow.vector_approximate[operand.index] >> lane) & 1U);
}

void RegisterCheck::write_lane(Wave& wave, const Inst& inst) {
  WaveShadow& shadow = *waves_[wave.id];
  const unsigned lane = wave.read32(inst.src[1]) & (wave.lanes - 1U);
  const u64 bit = u64{1} << lane;
  const Operand& from = inst.src[0];
  write_dword(wave, inst, inst.dst[0], 0,
              from.is_scalar() ? spilled(shadow.scalar[from.index]) : UndefinedBytes{}, bit,
              origin_of(wave, from));
  LaneMask& approx = shadow.vector_approximate[inst.dst[0].index];
  approx = (approx & ~bit) | (approximate(wave, inst.src[0]) ? bit : 0);
}

// An inactive lane has no defined value: hardware gives 0, or what the lane last held.
void RegisterCheck::lane_permute(Wave& wave, const Inst& inst) {
  WaveShadow& shadow = *waves_[wave.id];
  std::array<std::uint8_t, 64> from{};
  const PermuteLanes lanes = permute_source_lanes(wave, inst, from.data());
  const Operand& data = inst.src[lanes.data];
  UndefinedBytes moved;
  LaneMask approx = 0;
  bool inactive = false;
  const UndefinedBytes bytes =
      data.is_vector() ? shadow.vector[data.index] : source_dword(wave, inst, lanes.data, 0);
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    const u64 bit = u64{1} << lane;
    if (!(wave.exec & bit)) continue;
    if (lanes.zero & bit) continue;
    if (lanes.missing & bit) {
      moved = moved | UndefinedBytes::all(bit);
      inactive = true;
      continue;
    }
    for (unsigned i = 0; i < 4; ++i) moved.byte[i] |= ((bytes.byte[i] >> from[lane]) & 1U) << lane;
    if (data.is_vector())
      approx |= ((shadow.vector_approximate[data.index] >> from[lane]) & 1U) << lane;
  }
  for (unsigned i = 0; i < inst.src.size() && inst.src[i]; ++i)
    if (i != lanes.data) moved = moved | UndefinedBytes::all(source_lanes(wave, inst, i));
  const LaneMask written = wave.exec & ~lanes.kept;
  const OriginId why = inactive
                           ? origin({.kind = Origin::Kind::kInactiveLane, .address = inst.address})
                           : origin_of_sources(wave, inst);
  if (inactive) last_inactive_ = why;
  write_dword(wave, inst, inst.dst[0], 0, moved, written, why);
  LaneMask& old = shadow.vector_approximate[inst.dst[0].index];
  old = (old & ~written) | (approx & written);
}

// v_swap and the row swaps of gfx950 exchange what is undefined, too.
void RegisterCheck::swap(Wave& wave, const Inst& inst) {
  WaveShadow& shadow = *waves_[wave.id];
  const Operand& a = inst.dst[0];
  const Operand& b = inst.dst[1] ? inst.dst[1] : inst.src[0];
  if (!a.is_vector() || !b.is_vector()) return;
  UndefinedBytes& x = shadow.vector[a.index];
  UndefinedBytes& y = shadow.vector[b.index];
  if (!inst.dst[1] && wave.exec == wave.full_exec) {
    std::swap(x, y);
    std::swap(shadow.vector_origin[a.index], shadow.vector_origin[b.index]);
  } else if (!inst.dst[1]) {
    for (unsigned i = 0; i < 4; ++i) {
      const LaneMask difference = (x.byte[i] ^ y.byte[i]) & wave.exec;
      x.byte[i] ^= difference;
      y.byte[i] ^= difference;
    }
  } else {
    // Upper lanes of the first with lower lanes of the second.
    const unsigned span = inst.op->lanes == LaneUse::kSwapRows16 ? 16 : 32;
    for (unsigned lane = 0; lane < wave.lanes; ++lane) {
      if (lane & span) continue;
      const unsigned up = lane + span;
      for (unsigned i = 0; i < 4; ++i) {
        const LaneMask p = (x.byte[i] >> up) & 1U, q = (y.byte[i] >> lane) & 1U;
        if (((wave.exec >> up) & 1U) && ((wave.exec >> lane) & 1U)) {
          x.byte[i] = (x.byte[i] & ~(u64{1} << up)) | (q << up);
          y.byte[i] = (y.byte[i] & ~(u64{1} << lane)) | (p << lane);
        }
      }
    }
  }
  const LaneMask both = shadow.vector_approximate[a.index] | shadow.vector_approximate[b.index];
  shadow.vector_approximate[a.index] = shadow.vector_approximate[b.index] = both;
}

}  // namespace hipwright::soft
