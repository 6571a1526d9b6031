// SPDX-License-Identifier: MIT
// Applies modifiers to operands and results. Plain instructions skip all of this.
#include "soft/exec/ops/valu.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

// Sign and magnitude bits of one element; the dword that holds them is the high one of 64 bits.
struct FloatLayout {
  u32 sign = 0;
  u32 exponent = 0;
  u32 one = 0;
};

constexpr FloatLayout layout_of(Type type) {
  switch (type) {
    case Type::kF16:
    case Type::kPkF16:
      return {0x8000U, 0x7c00U, 0x3c00U};
    case Type::kBF16:
    case Type::kPkBF16:
      return {0x8000U, 0x7f80U, 0x3f80U};
    case Type::kB16:
    case Type::kPkB16:
      return {0x8000U, 0, 0};
    case Type::kF32:
    case Type::kPkF32:
      return {0x8000'0000U, 0x7f80'0000U, 0x3f80'0000U};
    case Type::kF64:
      return {0x8000'0000U, 0x7ff0'0000U, 0x3ff0'0000U};
    default:
      return {0x8000'0000U, 0, 0};
  }
}

u8 denormal_mode(const Wave& wave, Type type) {
  const bool single = type == Type::kF32 || type == Type::kPkF32;
  return single ? wave.mode.denormal_f32 : wave.mode.denormal_f64_f16;
}

// Denormals become zeros of the same sign.
void flush_denormals(Type type, u32* low, u32* high) {
  const FloatLayout layout = layout_of(type);
  u32* top = high ? high : low;
  for (std::size_t i = 0; i < 64; ++i) {
    const bool denormal = (top[i] & layout.exponent) == 0;
    if (high) low[i] = denormal ? 0 : low[i];
    top[i] = denormal ? top[i] & layout.sign : top[i];
  }
}

void change_signs(const FloatLayout& layout, bool abs, bool neg, u32* top) {
  const u32 keep = abs ? ~layout.sign : ~0U;
  const u32 flip = neg ? layout.sign : 0U;
  for (std::size_t i = 0; i < 64; ++i) top[i] = (top[i] & keep) ^ flip;
}

u32 select_part(Sdwa part, bool sext, u32 value) {
  const auto index = static_cast<unsigned>(part);
  if (part <= Sdwa::kByte3) {
    const u32 byte = (value >> (8 * index)) & 0xffU;
    return sext ? static_cast<u32>(static_cast<i32>(static_cast<i8>(byte))) : byte;
  }
  if (part <= Sdwa::kWord1) {
    const u32 word = (part == Sdwa::kWord1 ? value >> 16 : value) & 0xffffU;
    return sext ? static_cast<u32>(static_cast<i32>(static_cast<i16>(word))) : word;
  }
  return value;
}

// The same 16 bits for each row of lanes.
constexpr u64 in_each_row(u32 bits) {
  return (bits & 0xffffU) * 0x0001'0001'0001'0001ULL;
}

// Fills in the source of each lane; returns the lanes that have one.
u64 dpp_lanes(const DppControl& dpp, u32 lanes, u32* lane) {
  const u32 n = dpp.argument;
  const auto fill = [&](auto from) {
    for (u32 i = 0; i < 64; ++i) lane[i] = from(i) & (lanes - 1U);
    return ~u64{0};
  };
  switch (dpp.kind) {
    case Dpp::kQuadPerm:
      return fill([n](u32 i) { return (i & ~3U) | ((n >> (2 * (i & 3U))) & 3U); });
    case Dpp::kRowShl:
      return fill([n](u32 i) { return i + n; }) & in_each_row(0xffffU >> (n & 15U));
    case Dpp::kRowShr:
      return fill([n](u32 i) { return i - n; }) & in_each_row(0xffffU << (n & 15U));
    case Dpp::kRowRor:
      return fill([n](u32 i) { return (i & ~15U) | ((i - n) & 15U); });
    case Dpp::kWaveShl:
      return fill([](u32 i) { return i + 1; }) & ~(u64{1} << (lanes - 1U));
    case Dpp::kWaveRol:
      return fill([](u32 i) { return i + 1; });
    case Dpp::kWaveShr:
      return fill([](u32 i) { return i - 1; }) & ~u64{1};
    case Dpp::kWaveRor:
      return fill([](u32 i) { return i - 1; });
    case Dpp::kRowMirror:
      return fill([](u32 i) { return i ^ 15U; });
    case Dpp::kRowHalfMirror:
      return fill([](u32 i) { return i ^ 7U; });
    // The lanes before the first broadcast keep their own value.
    case Dpp::kRowBcast15:
      return fill([](u32 i) { return i > 15 ? (i & ~15U) - 1 : i; });
    case Dpp::kRowBcast31:
      return fill([](u32 i) { return i > 31 ? (i & ~31U) - 1 : i; });
    case Dpp::kRowShare:
      return fill([n](u32 i) { return (i & ~15U) | (n & 15U); });
    case Dpp::kRowXmask:
      return fill([n](u32 i) { return i ^ (n & 15U); });
    case Dpp::kDpp8:
      return fill([n](u32 i) { return (i & ~7U) | ((n >> (3 * (i & 7U))) & 7U); });
    case Dpp::kNone:
      break;
  }
  return fill([](u32 i) { return i; });
}

// Lanes whose row and bank the masks let write.
u64 dpp_banks(const DppControl& dpp) {
  if (dpp.row_mask == 0xf && dpp.bank_mask == 0xf) return ~u64{0};
  u64 mask = 0;
  for (unsigned group = 0; group < 16; ++group) {
    const bool row = (dpp.row_mask >> (group / 4)) & 1U;
    const bool bank = (dpp.bank_mask >> (group & 3U)) & 1U;
    if (row && bank) mask |= u64{0xf} << (4 * group);
  }
  return mask;
}

void apply_dpp(const Wave& wave, const DppControl& dpp, const Rows& from, Row* to) {
  Row lane, keep;
  const u64 valid = dpp_sources(wave, dpp, lane.lane);
  const bool all = (valid & wave.full_exec) == wave.full_exec;
  if (!all) expand_mask(valid, keep.lane);
  const auto move = [&](const u32* row, u32* result) {
    for (std::size_t i = 0; i < wave.lanes; ++i) result[i] = row[lane.lane[i]];
    if (all) return;
    for (std::size_t i = 0; i < 64; ++i) result[i] &= keep.lane[i];
  };
  move(from.low, to[0].lane);
  if (from.high) move(from.high, to[1].lane);
}

// Output modifiers work only while output denormals are flushed and IEEE mode is off, and they
// lose the sign of zero.
bool omod_works(const Wave& wave, const Inst& inst, Type type) {
  const bool ieee = wave.mode.ieee && wave.isa != Isa::kGfx12;
  return inst.omod != 0 && !ieee && !(denormal_mode(wave, type) & 2U);
}

constexpr float kOmodFactors[] = {1.0F, 2.0F, 4.0F, 0.5F};

// Scales f16 or bf16 by a power of two: a change of the exponent, saturating to infinity.
u32 scale16(const FloatLayout& layout, u32 bits, int step) {
  const u32 magnitude = bits & 0x7fffU;
  if (magnitude >= layout.exponent) return bits;
  const u32 unit = layout.exponent & (~layout.exponent + 1U);
  const int exponent = static_cast<int>(magnitude / unit) + step;
  if (magnitude < unit || exponent <= 0) return 0;
  const int top = static_cast<int>(layout.exponent / unit);
  if (exponent >= top) return (bits & 0x8000U) | layout.exponent;
  return (bits & 0x8000U) | (static_cast<u32>(exponent) * unit) | (magnitude & (unit - 1U));
}

void apply_omod(Type type, unsigned omod, u32* low, u32* high) {
  const float factor = kOmodFactors[omod & 3U];
  static constexpr int kSteps[] = {0, 1, 2, -1};
  const FloatLayout layout = layout_of(type);
  for (std::size_t i = 0; i < 64; ++i) {
    if (high) {
      const auto value = std::bit_cast<double>(low[i] | (u64{high[i]} << 32));
      const u64 bits = std::bit_cast<u64>(value * static_cast<double>(factor) + 0.0);
      low[i] = static_cast<u32>(bits);
      high[i] = static_cast<u32>(bits >> 32);
    } else if (type == Type::kF32) {
      low[i] = std::bit_cast<u32>(std::bit_cast<float>(low[i]) * factor + 0.0F);
    } else {
      const u32 bits = low[i] & 0xffffU;
      low[i] = (bits & 0x7fffU) ? scale16(layout, bits, kSteps[omod & 3U]) : 0;
    }
  }
}

// To [0, 1]. As integers: what has the sign is 0, what exceeds the pattern of one is one.
void apply_clamp(Type type, bool dx10, u32* low, u32* high) {
  const FloatLayout layout = layout_of(type);
  u32* top = high ? high : low;
  for (std::size_t i = 0; i < 64; ++i) {
    const u32 magnitude = top[i] & (layout.sign - 1U);
    const u32 rest = high ? low[i] : 0;
    const bool nan = magnitude > layout.exponent || (magnitude == layout.exponent && rest != 0);
    const bool negative = (top[i] & layout.sign) != 0;
    if (nan && !dx10) continue;
    if (nan || negative) {
      top[i] = 0;
      if (high) low[i] = 0;
    } else if (magnitude >= layout.one) {
      top[i] = layout.one;
      if (high) low[i] = 0;
    }
  }
}

}  // namespace

u64 dpp_sources(const Wave& wave, const DppControl& dpp, u32* lane) {
  const u64 valid = dpp_lanes(dpp, wave.lanes, lane) & wave.full_exec;
  if (dpp.fetch_inactive || wave.exec == wave.full_exec) return valid;
  Row active;
  for (std::size_t i = 0; i < wave.lanes; ++i) active.lane[i] = wave.exec_row[lane[i]];
  return valid & lane_bits(active, wave.lanes);
}

u64 dpp_write_mask(const Wave& wave, const DppControl& dpp) {
  // dpp8 has no masks, and reads 0 from lanes that are inactive.
  if (dpp.kind == Dpp::kDpp8) return wave.exec;
  u64 mask = wave.exec & dpp_banks(dpp);
  if (!dpp.bound_ctrl) {
    Row lane;
    mask &= dpp_sources(wave, dpp, lane.lane);
  }
  return mask;
}

Rows modified_rows(const Wave& wave, const Inst& inst, unsigned number, Type type, Row* scratch) {
  const Operand& operand = inst.src[number];
  const Rows plain = plain_rows(wave, operand, scratch);
  const bool wide = plain.high && operand.dwords > 1;
  const bool dpp = (inst.flags & kHasDpp) && number == 0 && operand.is_vector();
  const bool sdwa = (inst.flags & kHasSdwa) && number < 2;
  const bool half = is_16(type) && (operand.op_sel || operand.high_half);
  const bool signs = (operand.abs || operand.neg) && !(inst.flags & kNoSrcModifiers);
  const bool flush =
      is_float(type) && !(denormal_mode(wave, type) & 1U) && !(inst.flags & kKeepsDenormals);
  if (!dpp && !sdwa && !half && !signs && !flush) return plain;

  if (dpp) {
    apply_dpp(wave, inst.dpp, {plain.low, wide ? plain.high : nullptr}, scratch);
  } else if (plain.low != scratch[0].lane) {
    std::memcpy(scratch[0].lane, plain.low, wave.lanes * sizeof(u32));
    if (wide) std::memcpy(scratch[1].lane, plain.high, wave.lanes * sizeof(u32));
  }
  u32* low = scratch[0].lane;
  u32* high = wide ? scratch[1].lane : nullptr;
  if (sdwa) {
    const auto part = static_cast<Sdwa>(operand.sel);
    for (std::size_t i = 0; i < 64; ++i) low[i] = select_part(part, operand.sext, low[i]);
  }
  if (half)
    for (std::size_t i = 0; i < 64; ++i) low[i] >>= 16;
  if (is_16(type))
    for (std::size_t i = 0; i < 64; ++i) low[i] &= 0xffffU;
  if (signs) change_signs(layout_of(type), operand.abs, operand.neg, high ? high : low);
  if (flush) flush_denormals(type, low, high);
  return {low, high};
}

void packed_rows(const Wave& wave, const Inst& inst, unsigned number, Type type, Row* low,
                 Row* high) {
  const Operand& operand = inst.src[number];
  Row scratch[2], moved[2];
  Rows rows = plain_rows(wave, operand, scratch);
  if ((inst.flags & kHasDpp) && number == 0 && operand.is_vector()) {
    apply_dpp(wave, inst.dpp, rows, moved);
    rows = {moved[0].lane, rows.high ? moved[1].lane : nullptr};
  }
  const auto select = [&](bool upper, Row* to) {
    if (is_packed16(type)) {
      const unsigned shift = upper ? 16 : 0;
      for (std::size_t i = 0; i < wave.lanes; ++i) to->lane[i] = (rows.low[i] >> shift) & 0xffffU;
    } else {
      const u32* from = upper && rows.high ? rows.high : rows.low;
      std::memcpy(to->lane, from, wave.lanes * sizeof(u32));
    }
  };
  select(operand.op_sel, low);
  select(operand.op_sel_hi, high);
  if (!(inst.flags & kNoSrcModifiers)) {
    const FloatLayout layout = layout_of(type);
    if (operand.neg || operand.abs) change_signs(layout, operand.abs, operand.neg, low->lane);
    if (operand.neg_hi || operand.abs)
      change_signs(layout, operand.abs, operand.neg_hi, high->lane);
  }
  if (is_float(type) && !(denormal_mode(wave, type) & 1U) && !(inst.flags & kKeepsDenormals)) {
    flush_denormals(type, low->lane, nullptr);
    flush_denormals(type, high->lane, nullptr);
  }
}

u64 active_mask(const Wave& wave, const Inst& inst) {
  if (inst.flags & kHasDpp) return dpp_write_mask(wave, inst.dpp);
  return inst.flags & kIgnoresExec ? wave.full_exec : wave.exec;
}

void active_lanes(const Wave& wave, const Inst& inst, Lanes& lanes) {
  if (!(inst.flags & (kHasDpp | kIgnoresExec))) {
    lanes.row = wave.exec_row.data();
    lanes.all = wave.exec == wave.full_exec;
    return;
  }
  const u64 mask = active_mask(wave, inst);
  expand_mask(mask, lanes.scratch.lane);
  lanes.row = lanes.scratch.lane;
  lanes.all = mask == wave.full_exec;
}

void modify_results(const Wave& wave, const Inst& inst, Type type, Row* low, Row* high) {
  const Type kind = inst.flags & kOutputF16 ? Type::kF16 : type;
  if (!is_float(kind)) return;
  u32* high_lanes = high ? high->lane : nullptr;
  if (omod_works(wave, inst, kind)) apply_omod(kind, inst.omod, low->lane, high_lanes);
  if (inst.clamp) apply_clamp(kind, wave.mode.dx10_clamp, low->lane, high_lanes);
  if (!(denormal_mode(wave, kind) & 2U) && !(inst.flags & kKeepsDenormals))
    flush_denormals(kind, low->lane, high_lanes);
}

void store_part(Wave& wave, const Inst& inst, Type type, const Row& result, const u32* mask) {
  const bool half = is_16(type);
  u32* to = wave.vgpr(inst.dst[0].index);
  // Each lane becomes (value << shift) in the bits of `field`, and `fill` decides the others:
  // kept, zero, or copies of the value's sign.
  unsigned shift = 0;
  u32 field = half ? 0xffffU : ~0U;
  u32 keep = 0;
  bool sext = false;
  if (inst.flags & kHasSdwa) {
    const auto part = static_cast<Sdwa>(inst.dst_sel);
    if (part <= Sdwa::kByte3) {
      shift = 8U * static_cast<unsigned>(part);
      field = 0xffU;
    } else if (part <= Sdwa::kWord1) {
      shift = part == Sdwa::kWord1 ? 16 : 0;
      field = 0xffffU;
    } else if (half) {
      field = 0xffffU;
    }
    const bool whole = part == Sdwa::kDword;
    if (!whole && inst.dst_unused == SdwaUnused::kPreserve) keep = ~(field << shift);
    sext = !whole && inst.dst_unused == SdwaUnused::kSext;
  } else if (half) {
    const bool upper = inst.op_sel_dst || inst.dst[0].high_half;
    shift = upper ? 16 : 0;
    if (upper || keeps_high_half(wave, inst)) keep = ~(field << shift);
  }
  for (std::size_t base = 0; base < wave.lanes; base += kChunk) {
    for (std::size_t i = base; i < base + kChunk; ++i) {
      const u32 part = result.lane[i] & field;
      // Bits above the field, if the value's top bit is set.
      const u32 sign = sext && (part & (field ^ (field >> 1))) ? ~field : 0;
      const u32 value = ((part | sign) << shift) | (to[i] & keep);
      to[i] = (value & mask[i]) | (to[i] & ~mask[i]);
    }
  }
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
