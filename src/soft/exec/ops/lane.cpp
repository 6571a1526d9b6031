// SPDX-License-Identifier: MIT
// Values that cross lanes: readlane, writelane, permlane, LDS permutes and swizzles. DPP is a
// modifier: valu.cpp has it.
#include <bit>
#include <cstdint>
#include <cstring>

#include "soft/exec/ops/ops.h"
#include "soft/exec/ops/valu.h"
#include "soft/exec/wave.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

constexpr Type kB32 = Type::kB32;

bool active(const Wave& wave, unsigned lane) {
  return ((wave.exec >> lane) & 1U) != 0;
}

// The lanes of a 32-bit source.
Row lanes_of(const Wave& wave, const Operand& operand) {
  Row row{};
  if (operand.is_vector()) {
    std::memcpy(row.lane, wave.vgpr(operand.index), wave.lanes * sizeof(u32));
  } else {
    const u32 value = wave.read32(operand);
    for (u32& lane : row.lane) lane = value;
  }
  return row;
}

void store_active(Wave& wave, const Operand& to, const Row& result) {
  store_row(wave, to.index, result, wave.exec_row.data(), wave.exec == wave.full_exec);
}

// --- one lane ---

void read_lane(Wave& wave, const Inst& inst) {
  const u32 lane = wave.read32(inst.src[1]) & (wave.lanes - 1U);
  wave.write32(inst.dst[0], inst.src[0].is_vector() ? wave.vgpr(inst.src[0].index)[lane]
                                                    : wave.read32(inst.src[0]));
}

// Without active lanes it is lane 0.
void read_first_lane(Wave& wave, const Inst& inst) {
  const unsigned lane = wave.exec == 0 ? 0U : static_cast<unsigned>(std::countr_zero(wave.exec));
  wave.write32(inst.dst[0], inst.src[0].is_vector() ? wave.vgpr(inst.src[0].index)[lane]
                                                    : wave.read32(inst.src[0]));
}

void write_lane(Wave& wave, const Inst& inst) {
  const u32 lane = wave.read32(inst.src[1]) & (wave.lanes - 1U);
  wave.vgpr(inst.dst[0].index)[lane] = wave.read32(inst.src[0]);
}

// --- permutations in the vector unit ---

// Takes result[i] = source[from(i)]. An inactive source lane counts with fi only; otherwise the
// lane reads 0 with bound_ctrl, and keeps its old value without.
template <class F>
void permute(Wave& wave, const Operand& to, const Row& source, bool fetch_inactive, bool bound_ctrl,
             F from) {
  Row result = lanes_of(wave, to);
  for (unsigned i = 0; i < wave.lanes; ++i) {
    const unsigned lane = from(i);
    if (fetch_inactive || active(wave, lane))
      result.lane[i] = source.lane[lane];
    else if (bound_ctrl)
      result.lane[i] = 0;
  }
  store_active(wave, to, result);
}

// op_sel is not what its name says: the first bit is fi, the second bound_ctrl.
// `kOther`: from the other row of 16 in each pair.
template <bool kOther>
void permlane16(Wave& wave, const Inst& inst) {
  const u64 selectors = wave.read32(inst.src[1]) | (u64{wave.read32(inst.src[2])} << 32);
  permute(wave, inst.dst[0], lanes_of(wave, inst.src[0]), inst.src[0].op_sel, inst.src[1].op_sel,
          [&](unsigned i) {
            const auto lane = static_cast<unsigned>(selectors >> (4 * (i & 15U))) & 15U;
            return ((i & ~15U) | lane) ^ (kOther ? 16U : 0U);
          });
}

template <bool kOther>
void permlane16_var(Wave& wave, const Inst& inst) {
  const Row selectors = lanes_of(wave, inst.src[1]);
  permute(
      wave, inst.dst[0], lanes_of(wave, inst.src[0]), inst.src[0].op_sel, inst.src[1].op_sel,
      [&](unsigned i) { return ((i & ~15U) | (selectors.lane[i] & 15U)) ^ (kOther ? 16U : 0U); });
}

// Swaps the halves of a 64-lane wave, inactive sources too; 32-lane waves do nothing.
void permlane64(Wave& wave, const Inst& inst) {
  if (wave.lanes == 32) return;
  permute(wave, inst.dst[0], lanes_of(wave, inst.src[0]), true, false,
          [](unsigned i) { return i ^ 32U; });
}

// The upper part of each 2 × kSpan lanes of the first register changes places with the lower part
// of the second one.
template <unsigned kSpan>
void permlane_swap(Wave& wave, const Inst& inst) {
  const Row first = lanes_of(wave, inst.dst[0]), second = lanes_of(wave, inst.dst[1]);
  Row new_first = first, new_second = second;
  for (unsigned i = 0; i < wave.lanes; ++i) {
    const unsigned partner = i ^ kSpan;
    const bool upper = (i & kSpan) != 0;
    u32& to = upper ? new_first.lane[i] : new_second.lane[i];
    if (inst.dpp.fetch_inactive || active(wave, partner))
      to = upper ? second.lane[partner] : first.lane[partner];
    else if (inst.dpp.bound_ctrl)
      to = 0;
  }
  store_active(wave, inst.dst[0], new_first);
  store_active(wave, inst.dst[1], new_second);
}

// --- permutations in the LDS unit: addresses are byte addresses of lanes ---

// gfx10 and gfx11 permute each half of a 64-lane wave on its own; gfx9 and gfx12 the whole wave.
unsigned permute_span(const Wave& wave) {
  return wave.isa == Isa::kGfx10 || wave.isa == Isa::kGfx11 ? 32U : wave.lanes;
}
unsigned addressed_lane(const Wave& wave, const Inst& inst, unsigned lane, u32 address) {
  const unsigned span = permute_span(wave);
  return (lane & ~(span - 1U)) |
         (((address + static_cast<u32>(inst.memory.offset)) / 4U) & (span - 1U));
}

template <bool kFetchInactive>
void ds_bpermute(Wave& wave, const Inst& inst) {
  const Row addresses = lanes_of(wave, inst.src[0]);
  Row data = lanes_of(wave, inst.src[1]);
  // Inactive lanes give 0: cleared first, so that the loop is a gather.
  if (!kFetchInactive && wave.exec != wave.full_exec)
    for (unsigned i = 0; i < wave.lanes; ++i) data.lane[i] &= wave.exec_row[i];
  const u32 offset = static_cast<u32>(inst.memory.offset), within = permute_span(wave) - 1U;
  Row result{};
  for (unsigned i = 0; i < wave.lanes; ++i)
    result.lane[i] = data.lane[(i & ~within) | (((addresses.lane[i] + offset) / 4U) & within)];
  store_active(wave, inst.dst[0], result);
}

// Of several lanes that send to one, the highest wins. Lanes without a sender get 0.
void ds_permute(Wave& wave, const Inst& inst) {
  const Row addresses = lanes_of(wave, inst.src[0]), data = lanes_of(wave, inst.src[1]);
  Row result{};
  for (unsigned i = 0; i < wave.lanes; ++i)
    if (active(wave, i))
      result.lane[addressed_lane(wave, inst, i, addresses.lane[i])] = data.lane[i];
  store_active(wave, inst.dst[0], result);
}

unsigned reverse5(unsigned value) {
  unsigned result = 0;
  for (unsigned i = 0; i < 5; ++i) result |= ((value >> i) & 1U) << (4 - i);
  return result;
}

// The pattern is the 16-bit offset; lanes move within groups of 32 (or 4).
unsigned swizzled_lane(unsigned pattern, unsigned i) {
  const unsigned lane = i & 31U, mask = pattern & 31U;
  unsigned from = 0;
  if (pattern >= 0xe000U) {  // bit-reversed order of an FFT
    from = (reverse5(lane) >> std::popcount(mask)) | (lane & mask);
  } else if (pattern >= 0xc000U) {  // rotation of the bits that are not in the mask
    const unsigned amount = (pattern >> 5) & 31U;
    from = (lane & mask) | ((lane + ((pattern & 0x400U) ? 32U - amount : amount)) & ~mask);
  } else if (pattern & 0x8000U) {  // any lane of the same four
    from = (lane & ~3U) | ((pattern >> (2U * (lane & 3U))) & 3U);
  } else {
    from = ((lane & mask) | ((pattern >> 5) & 31U)) ^ ((pattern >> 10) & 31U);
  }
  return (i & 32U) | (from & 31U);
}

// The first 16 bits of a DS encoding are its offset; the text may spell it as a pattern's name.
void ds_swizzle(Wave& wave, const Inst& inst) {
  const Row data = lanes_of(wave, inst.src[0]);
  Row result{};
  for (unsigned i = 0; i < wave.lanes; ++i) {
    const unsigned lane = swizzled_lane(inst.simm16, i);
    result.lane[i] = active(wave, lane) ? data.lane[lane] : 0U;
  }
  store_active(wave, inst.dst[0], result);
}

constexpr Op lane_op(std::string_view name, LaneUse lanes, Handler run, std::array<Type, 2> dst,
                     std::array<Type, 5> src, u32 flags = 0) {
  return {.name = name,
          .run = run,
          .kind = OpClass::kCrossLane,
          .dst = dst,
          .src = src,
          .flags = flags,
          .lanes = lanes};
}

constexpr Op kOps[] = {
    lane_op("v_readlane_b32", LaneUse::kReadOne, read_lane, {kB32}, {kB32, kB32}, kIgnoresExec),
    lane_op("v_readfirstlane_b32", LaneUse::kReadFirst, read_first_lane, {kB32}, {kB32}),
    lane_op("v_writelane_b32", LaneUse::kWriteOne, write_lane, {kB32}, {kB32, kB32}, kIgnoresExec),
    lane_op("v_permlane16_b32", LaneUse::kPermute, permlane16<false>, {kB32}, {kB32, kB32, kB32}),
    lane_op("v_permlanex16_b32", LaneUse::kPermute, permlane16<true>, {kB32}, {kB32, kB32, kB32}),
    lane_op("v_permlane16_var_b32", LaneUse::kPermute, permlane16_var<false>, {kB32}, {kB32, kB32}),
    lane_op("v_permlanex16_var_b32", LaneUse::kPermute, permlane16_var<true>, {kB32}, {kB32, kB32}),
    lane_op("v_permlane64_b32", LaneUse::kPermute, permlane64, {kB32}, {kB32}),
    lane_op("v_permlane16_swap_b32", LaneUse::kSwapRows16, permlane_swap<16>, {kB32, kB32}, {}),
    lane_op("v_permlane32_swap_b32", LaneUse::kSwapRows32, permlane_swap<32>, {kB32, kB32}, {}),
    lane_op("ds_bpermute_b32", LaneUse::kPull, ds_bpermute<false>, {kB32}, {kB32, kB32}) |
        Counts::kLds,
    lane_op("ds_bpermute_fi_b32", LaneUse::kPull, ds_bpermute<true>, {kB32}, {kB32, kB32}) |
        Counts::kLds,
    lane_op("ds_permute_b32", LaneUse::kPush, ds_permute, {kB32}, {kB32, kB32}) | Counts::kLds,
    lane_op("ds_swizzle_b32", LaneUse::kSwizzle, ds_swizzle, {kB32}, {kB32}) | Counts::kLds,
};

}  // namespace

std::span<const Op> lane_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
