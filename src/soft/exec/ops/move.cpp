// SPDX-License-Identifier: MIT
// Moves of vector registers: plain, selected by a mask, swapped, addressed through M0.
#include "soft/exec/ops/valu.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

constexpr Type kB16 = Type::kB16, kB32 = Type::kB32, kB64 = Type::kB64, kMask = Type::kMask;

// --- swaps ---

void swap_rows(const Wave& wave, u32* a, u32* b) {
  for (std::size_t base = 0; base < wave.lanes; base += kChunk) {
    alignas(64) u32 old[kChunk];
    std::memcpy(old, a + base, sizeof(old));
    if (a != b) blend(a + base, b + base, wave.exec_row.data() + base);
    blend(b + base, old, wave.exec_row.data() + base);
  }
}

void swap_b32(Wave& wave, const Inst& inst) {
  swap_rows(wave, wave.vgpr(inst.dst[0].index), wave.vgpr(inst.src[0].index));
}

void swap_b16(Wave& wave, const Inst& inst) {
  u32* a = wave.vgpr(inst.dst[0].index);
  u32* b = wave.vgpr(inst.src[0].index);
  const unsigned of_a = inst.dst[0].high_half ? 16 : 0, of_b = inst.src[0].high_half ? 16 : 0;
  for (std::size_t i = 0; i < wave.lanes; ++i) {
    const u32 change = ((a[i] >> of_a) ^ (b[i] >> of_b)) & wave.exec_row[i] & 0xffffU;
    a[i] ^= change << of_a;
    b[i] ^= change << of_b;
  }
}

// --- relative moves (gfx10+) ---

// How far M0 moves the source and the destination: the same, or bits 0…9 and 16…25 of it.
struct Offsets {
  u32 source = 0, destination = 0;
};
Offsets both(const Wave& wave) {
  return {wave.scalars[kM0], wave.scalars[kM0]};
}
Offsets split(const Wave& wave) {
  return {wave.scalars[kM0] & 0x3ffU, (wave.scalars[kM0] >> 16) & 0x3ffU};
}

// The row that M0 selects; none above v255.
u32* relative(Wave& wave, const Operand& operand, u32 offset) {
  const u64 row = u64{operand.index} + offset;
  return operand.is_vector() && row < kAccumulator0 ? wave.vgpr(static_cast<unsigned>(row))
                                                    : nullptr;
}

void move_relative(Wave& wave, const Inst& inst, Offsets offsets) {
  Row scratch[2];
  u32* to = relative(wave, inst.dst[0], offsets.destination);
  const u32* from = offsets.source == 0 ? modified_rows(wave, inst, 0, kB32, scratch).low
                                        : relative(wave, inst.src[0], offsets.source);
  if (!to || !from) {
    wave.unsupported(inst, "M0 selects a vector register that does not exist");
    return;
  }
  if (offsets.source != 0 && (inst.flags & kHasDpp)) {
    wave.unsupported(inst, "a relative source with DPP");
    return;
  }
  Lanes lanes;
  active_lanes(wave, inst, lanes);
  for (std::size_t base = 0; base < wave.lanes; base += kChunk) {
    alignas(64) u32 part[kChunk];
    std::memcpy(part, from + base, sizeof(part));
    blend(to + base, part, lanes.row + base);
  }
}

void movreld(Wave& wave, const Inst& inst) {
  move_relative(wave, inst, {0, wave.scalars[kM0]});
}
void movrels(Wave& wave, const Inst& inst) {
  move_relative(wave, inst, {wave.scalars[kM0], 0});
}
void movrelsd(Wave& wave, const Inst& inst) {
  move_relative(wave, inst, both(wave));
}
void movrelsd_2(Wave& wave, const Inst& inst) {
  move_relative(wave, inst, split(wave));
}
void swaprel(Wave& wave, const Inst& inst) {
  const Offsets offsets = split(wave);
  u32* a = relative(wave, inst.dst[0], offsets.destination);
  u32* b = relative(wave, inst.src[0], offsets.source);
  if (!a || !b)
    wave.unsupported(inst, "M0 selects a vector register that does not exist");
  else
    swap_rows(wave, a, b);
}

// --- two registers at once ---

// The low result is the element of source 0 that op_sel names, the high one that of source 1.
void pk_mov_b32(Wave& wave, const Inst& inst) {
  Row scratch[2][2], results[2];
  for (unsigned i = 0; i < 2; ++i) {
    const Rows rows = plain_rows(wave, inst.src[i], scratch[i]);
    const u32* from = inst.src[i].op_sel && rows.high ? rows.high : rows.low;
    std::memcpy(results[i].lane, from, wave.lanes * sizeof(u32));
  }
  const bool all = wave.exec == wave.full_exec;
  for (unsigned i = 0; i < 2; ++i)
    store_row(wave, inst.dst[0].index + i, results[i], wave.exec_row.data(), all);
}

void nothing(Wave&, const Inst&) {}

constexpr Op moving(std::string_view name, Handler run, Type type, u32 flags = 0) {
  Op op{.name = name, .run = run, .kind = OpClass::kVector, .flags = flags};
  op.dst = {type};
  op.src = {type};
  return op;
}

constexpr auto kSame = [](auto a) { return a; };
constexpr auto kSelect = [](u32 a, u32 b, u32 mask) { return mask ? b : a; };

constexpr Op kOps[] = {
    vector_op<kB32, kB32>("v_mov_b32", kSame) | VectorRule::kMove,
    vector_op<kB64, kB64>("v_mov_b64", kSame) | VectorRule::kMove,
    vector_op<kB16, kB16>("v_mov_b16", kSame) | VectorRule::kMove,
    vector_op<kB32, kB32, kB32, kMask>("v_cndmask_b32", kSelect) | VectorRule::kSelect,
    vector_op<kB16, kB16, kB16, kMask>("v_cndmask_b16", kSelect) | VectorRule::kSelect,
    moving("v_swap_b32", swap_b32, kB32) | LaneUse::kSwap,
    moving("v_swap_b16", swap_b16, kB16) | LaneUse::kSwap,
    moving("v_movreld_b32", movreld, kB32, kReadsM0),
    moving("v_movrels_b32", movrels, kB32, kReadsM0),
    moving("v_movrelsd_b32", movrelsd, kB32, kReadsM0),
    moving("v_movrelsd_2_b32", movrelsd_2, kB32, kReadsM0),
    moving("v_swaprel_b32", swaprel, kB32, kReadsM0) | LaneUse::kSwap,
    Op{.name = "v_pk_mov_b32",
       .run = pk_mov_b32,
       .kind = OpClass::kVector,
       .dst = {Type::kPkB32},
       .src = {Type::kPkB32, Type::kPkB32}},
    Op{.name = "v_nop", .run = nothing, .kind = OpClass::kVector},
    // No exception is ever pending: none is raised.
    Op{.name = "v_clrexcp", .run = nothing, .kind = OpClass::kVector},
    Op{.name = "v_pipeflush", .run = nothing, .kind = OpClass::kVector},
};

}  // namespace

std::span<const Op> move_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
