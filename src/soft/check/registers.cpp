// SPDX-License-Identifier: MIT
#include "soft/check/registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "soft/check/lanes.h"
#include "soft/exec/launch.h"

namespace hipwright::soft {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using Group = OpFacts::Group;

bool is_16(Type type) {
  return type == Type::kB16 || type == Type::kF16 || type == Type::kBF16;
}
bool is_packed16(Type type) {
  return type == Type::kPkB16 || type == Type::kPkF16 || type == Type::kPkBF16;
}
unsigned dwords_of(const Operand& operand) {
  return std::max<unsigned>(operand.dwords, 1);
}

// Bytes of a scalar register with any undefined bit, for all lanes.
UndefinedBytes broadcast(u32 undefined) {
  UndefinedBytes bytes;
  for (unsigned i = 0; i < 4; ++i) bytes.byte[i] = (undefined >> (8 * i)) & 0xffU ? ~u64{0} : 0;
  return bytes;
}
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

// What SDWA selects, as a dword.
UndefinedBytes selected(const UndefinedBytes& from, unsigned sel, bool sext) {
  UndefinedBytes result;
  if (sel <= 3) {
    result.byte[0] = from.byte[sel];
    if (sext) result.byte[1] = result.byte[2] = result.byte[3] = from.byte[sel];
  } else if (sel <= 5) {
    const unsigned at = (sel - 4) * 2;
    result.byte[0] = from.byte[at];
    result.byte[1] = from.byte[at + 1];
    if (sext) result.byte[2] = result.byte[3] = from.byte[at + 1];
  } else {
    return from;
  }
  return result;
}

Group memory_or_nothing(const Op& op) {
  return op.flags & (kLoad | kStore | kAtomic) ? Group::kMemory : Group::kNothing;
}

Group group_of(const Op& op) {
  const std::string_view name = op.name;
  switch (op.kind) {
    case OpClass::kScalar:
      return name.starts_with("s_setpc") || name.starts_with("s_swappc") ? Group::kJump
                                                                         : Group::kScalar;
    case OpClass::kBranch:
      if (name.starts_with("s_cbranch_scc")) return Group::kBranchScc;
      if (name.starts_with("s_cbranch_vcc")) return Group::kBranchVcc;
      if (name.starts_with("s_setpc") || name.starts_with("s_swappc")) return Group::kJump;
      return op.dst[0] != Type::kNone ? Group::kScalar : Group::kNothing;
    case OpClass::kVector:
    case OpClass::kTranscendental:
      return name.starts_with("v_swap") ? Group::kSwap : Group::kVector;
    case OpClass::kMatrix:
      return Group::kMatrix;
    case OpClass::kCrossLane:
      if (name == "v_readlane_b32") return Group::kReadLane;
      if (name == "v_readfirstlane_b32") return Group::kReadFirstLane;
      if (name == "v_writelane_b32") return Group::kWriteLane;
      return name.find("_swap_") != std::string_view::npos ? Group::kSwap : Group::kLanePermute;
    case OpClass::kWait:
    case OpClass::kMessage:
      return op.dst[0] != Type::kNone ? Group::kScalar : Group::kNothing;
    default:
      return memory_or_nothing(op);
  }
}

}  // namespace

OpFacts facts_of(const Op& op) {
  const std::string_view name = op.name;
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  OpFacts facts{.group = group_of(op), .rule = rule_of(name), .scalar = scalar_facts(name)};
  if (facts.group == Group::kMemory) {
    facts.first_byte = has("_d16_hi") ? 2 : 0;
    facts.keeps_rest = has("_d16") && (op.flags & kLoad);
    facts.sign = has("sbyte") || has("sshort") || has("_i8") || has("_i16");
    facts.to_lds = has("_lds");
  }
  return facts;
}

const OpFacts& RegisterCheck::facts(const Op& op) {
  const auto [found, inserted] = facts_.try_emplace(&op);
  if (inserted) found->second = facts_of(op);
  return found->second;
}

OriginId RegisterCheck::origin(const Origin& value) {
  OriginId& id = origin_ids_[{value.kind, value.address}];
  if (id == 0) {
    origins_.push_back(value);
    id = static_cast<OriginId>(origins_.size());
  }
  return id;
}

// --- the start: only what the launch sets up is defined ---

void RegisterCheck::begin(const Workgroup& group) {
  origins_.clear();
  origin_ids_.clear();
  last_inactive_ = 0;
  for (unsigned row = 0; row < kVectorRows; ++row)
    origins_.push_back({.kind = Origin::Kind::kVector, .reg = row});
  for (unsigned index = 0; index < kScalarCount; ++index)
    origins_.push_back({.kind = Origin::Kind::kScalar, .reg = index});
  unsigned defined_scalars = 16;
  if (group.launch && group.launch->request && group.launch->request->kernel &&
      group.launch->request->kernel->info) {
    const auto& descriptor = group.launch->request->kernel->info->descriptor;
    defined_scalars = descriptor.user_sgprs + descriptor.workgroup_id_x +
                      descriptor.workgroup_id_y + descriptor.workgroup_id_z +
                      descriptor.workgroup_info + descriptor.uses_scratch;
  }
  waves_.resize(group.waves.size());
  for (const Wave& wave : group.waves) {
    auto& shadow = waves_[wave.id];
    if (!shadow) shadow = std::make_unique<WaveShadow>();
    for (unsigned row = 0; row < kVectorRows; ++row) {
      shadow->vector[row] = row == 0 ? UndefinedBytes{} : UndefinedBytes::all(~u64{0});
      shadow->vector_origin[row] = row + 1;
    }
    shadow->vector_approximate.fill(0);
    shadow->scalar_approximate.fill(false);
    for (unsigned i = 0; i < kScalarCount; ++i) {
      const bool given = i < defined_scalars || (i >= kTtmp0 && i < kM0) || i >= kNull;
      shadow->scalar[i] = given ? 0 : ~u32{0};
      shadow->scalar_origin[i] = kVectorRows + i + 1;
    }
    constexpr std::size_t kTracked = std::size_t{64} << 20;
    const std::size_t scratch = std::size_t{group.scratch_per_lane} * wave.lanes;
    shadow->scratch.assign(scratch <= kTracked ? scratch : 0, kUndefinedByte);
  }
  lds_.assign(group.lds_size, kUndefinedByte);
}

// --- sources ---

UndefinedBytes RegisterCheck::source_dword(Wave& wave, const Inst& inst, unsigned number,
                                           unsigned dword) const {
  const Operand& operand = inst.src[number];
  const WaveShadow& shadow = *waves_[wave.id];
  if (operand.is_scalar()) {
    const unsigned index = operand.index + dword;
    return index < kScalarCount ? broadcast(shadow.scalar[index]) : UndefinedBytes{};
  }
  if (!operand.is_vector() || operand.index + dword >= kVectorRows) return {};
  UndefinedBytes bytes = shadow.vector[operand.index + dword];
  if ((inst.flags & kHasDpp) && number == 0 && bytes.any() != 0) {
    std::array<std::uint8_t, 64> from{};
    const LaneMask valid = dpp_source_lanes(wave, inst.dpp, from.data());
    UndefinedBytes moved;
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      if ((valid >> lane) & 1U)
        for (unsigned i = 0; i < 4; ++i)
          moved.byte[i] |= ((bytes.byte[i] >> from[lane]) & 1U) << lane;
    bytes = moved;
  }
  if ((inst.flags & kHasSdwa) && number < 2) return selected(bytes, operand.sel, operand.sext);
  return bytes;
}

// One half of a 16-bit or packed operand, in bytes 0 and 1.
UndefinedBytes RegisterCheck::source_half(Wave& wave, const Inst& inst, unsigned number,
                                          bool high) const {
  const UndefinedBytes bytes = source_dword(wave, inst, number, 0);
  if (!high) return {{bytes.byte[0], bytes.byte[1], 0, 0}};
  return {{bytes.byte[2], bytes.byte[3], 0, 0}};
}

SourceDword RegisterCheck::source(Wave& wave, const Inst& inst, unsigned number,
                                  unsigned dword) const {
  const Operand& operand = inst.src[number];
  if (operand.is_constant())
    return {.undefined = {}, .value = static_cast<u32>(operand.value >> (dword ? 32 : 0))};
  SourceDword result;
  result.undefined = is_16(operand.type) && !(inst.flags & kHasSdwa)
                         ? source_half(wave, inst, number, operand.op_sel || operand.high_half)
                         : source_dword(wave, inst, number, dword);
  if (operand.is_scalar() && result.undefined.any() == 0)
    result.value = wave.read_scalar(operand.index + dword);
  return result;
}

// Undefined bits of a lane mask.
LaneMask RegisterCheck::mask_bits(const Wave& wave, const Operand& operand) const {
  if (!operand.is_scalar()) return 0;
  const WaveShadow& shadow = *waves_[wave.id];
  u64 bits = shadow.scalar[operand.index];
  if (wave.lanes == 64 && operand.index + 1U < kScalarCount)
    bits |= u64{shadow.scalar[operand.index + 1U]} << 32;
  return bits;
}

// Lanes in which any byte that counts of a source is undefined.
LaneMask RegisterCheck::source_lanes(Wave& wave, const Inst& inst, unsigned number) const {
  const Operand& operand = inst.src[number];
  if (operand.type == Type::kMask) return mask_bits(wave, operand);
  LaneMask lanes = 0;
  for (unsigned i = 0; i < dwords_of(operand); ++i)
    lanes |= source(wave, inst, number, i).undefined.any();
  return lanes;
}

OriginId RegisterCheck::origin_of(const Wave& wave, const Operand& operand) const {
  const WaveShadow& shadow = *waves_[wave.id];
  for (unsigned i = 0; i < dwords_of(operand); ++i) {
    const unsigned index = operand.index + i;
    if (operand.is_vector() && index < kVectorRows && shadow.vector[index].any() != 0)
      return shadow.vector_origin[index];
    if (operand.is_scalar() && index < kScalarCount && shadow.scalar[index] != 0)
      return shadow.scalar_origin[index];
  }
  return 0;
}

OriginId RegisterCheck::origin_of_sources(const Wave& wave, const Inst& inst) const {
  for (const Operand& operand : inst.src)
    if (operand)
      if (const OriginId id = origin_of(wave, operand)) return id;
  return 0;
}

bool RegisterCheck::approximate(const Wave& wave, const Operand& operand) const {
  const WaveShadow& shadow = *waves_[wave.id];
  for (unsigned i = 0; i < dwords_of(operand); ++i) {
    const unsigned index = operand.index + i;
    if (operand.is_scalar() && index < kScalarCount && shadow.scalar_approximate[index])
      return true;
  }
  return false;
}

LaneMask RegisterCheck::approximate_lanes(const Wave& wave, const Inst& inst) const {
  if (fidelity_on(*inst.op, wave.isa) == Fidelity::kApproximate) return ~u64{0};
  const WaveShadow& shadow = *waves_[wave.id];
  LaneMask lanes = 0;
  for (const Operand& operand : inst.src) {
    if (operand.is_scalar() && approximate(wave, operand)) return ~u64{0};
    for (unsigned i = 0; operand.is_vector() && i < dwords_of(operand); ++i)
      if (operand.index + i < kVectorRows) lanes |= shadow.vector_approximate[operand.index + i];
  }
  // Who reads whose lane does not matter for a report.
  return (inst.flags & kHasDpp) && lanes != 0 ? ~u64{0} : lanes;
}

ScalarValue RegisterCheck::scalar_value(const Wave& wave, const Operand& operand, bool wide) const {
  if (!operand) return {};
  if (operand.is_constant()) return {.value = operand.value};
  const WaveShadow& shadow = *waves_[wave.id];
  ScalarValue result{.value = wide ? wave.read64(operand) : wave.read32(operand)};
  if (operand.index < kScalarCount) result.undefined = shadow.scalar[operand.index];
  if (wide && operand.index + 1U < kScalarCount)
    result.undefined |= u64{shadow.scalar[operand.index + 1U]} << 32;
  return result;
}

// --- destinations ---

LaneMask RegisterCheck::written_lanes(const Wave& wave, const Inst& inst) const {
  if (inst.flags & kIgnoresExec) return wave.full_exec;
  if (!(inst.flags & kHasDpp)) return wave.exec;
  return dpp_written_lanes(wave, inst.dpp);
}

void RegisterCheck::write_dword(Wave& wave, const Inst& inst, const Operand& to, unsigned dword,
                                const UndefinedBytes& undefined, LaneMask lanes, OriginId from) {
  if (!to.is_vector() || to.index + dword >= kVectorRows) return;
  WaveShadow& shadow = *waves_[wave.id];
  UndefinedBytes& old = shadow.vector[to.index + dword];
  UndefinedBytes now = undefined;
  std::array<bool, 4> written{true, true, true, true};
  if (inst.flags & kHasSdwa) {
    const unsigned sel = inst.dst_sel;
    if (sel < static_cast<unsigned>(Sdwa::kDword)) {
      const unsigned first = sel <= 3 ? sel : (sel - 4) * 2, size = sel <= 3 ? 1 : 2;
      const bool keep = inst.dst_unused == SdwaUnused::kPreserve;
      const LaneMask top = undefined.byte[size - 1];
      for (unsigned i = 0; i < 4; ++i) {
        const bool inside = i >= first && i < first + size;
        written[i] = inside || !keep;
        now.byte[i] = inside ? undefined.byte[i - first]
                      : inst.dst_unused == SdwaUnused::kSext && i >= first + size ? top
                                                                                  : 0;
      }
    }
  } else if (is_16(to.type)) {
    const bool high = inst.op_sel_dst || to.high_half;
    const LaneMask any = undefined.byte[0] | undefined.byte[1];
    const bool zeroes = is_gfx9(wave.isa) && !(inst.flags & kKeepsHigh) && !high;
    for (unsigned i = 0; i < 4; ++i) {
      const bool inside = (i >= 2) == high;
      written[i] = inside || zeroes;
      now.byte[i] = inside ? any : 0;
    }
  }
  for (unsigned i = 0; i < 4; ++i)
    if (written[i]) old.byte[i] = (old.byte[i] & ~lanes) | (now.byte[i] & lanes);
  if (from != 0 && now.any() != 0) shadow.vector_origin[to.index + dword] = from;
}

void RegisterCheck::write_scalar(Wave& wave, const Inst& inst, const Operand& to, u64 undefined,
                                 OriginId from, bool is_approximate) {
  if (!to.is_scalar()) return;
  WaveShadow& shadow = *waves_[wave.id];
  for (unsigned i = 0; i < dwords_of(to) && to.index + i < kScalarCount; ++i) {
    const unsigned index = to.index + i;
    if (index == kNull) continue;
    shadow.scalar[index] = i < 2 ? static_cast<u32>(undefined >> (32 * i)) : 0;
    shadow.scalar_approximate[index] = is_approximate;
    if (shadow.scalar[index] != 0 && from != 0) shadow.scalar_origin[index] = from;
  }
  if (inst.flags & kWritesExec) exec_written(wave, inst);
}

void RegisterCheck::write_mask(Wave& wave, const Inst& inst, const Operand& to, LaneMask undefined,
                               OriginId from) {
  if (!to.is_scalar() || to.index == kNull) return;
  WaveShadow& shadow = *waves_[wave.id];
  const bool approx = approximate_lanes(wave, inst) != 0;
  for (unsigned i = 0; i < wave.lanes / 32 && to.index + i < kScalarCount; ++i) {
    shadow.scalar[to.index + i] = static_cast<u32>(undefined >> (32 * i));
    shadow.scalar_approximate[to.index + i] = approx;
    if (undefined != 0 && from != 0) shadow.scalar_origin[to.index + i] = from;
  }
  if (inst.flags & kWritesExec) exec_written(wave, inst);
}

// EXEC decides which lanes run: it may not be undefined.
void RegisterCheck::exec_written(Wave& wave, const Inst& inst) {
  WaveShadow& shadow = *waves_[wave.id];
  const u64 undefined =
      shadow.scalar[kExecLo] | (wave.lanes == 64 ? u64{shadow.scalar[kExecHi]} << 32 : 0);
  if (undefined != 0)
    report(wave, inst, FindingKind::kUninitialisedBranch,
           shadow.scalar_origin[shadow.scalar[kExecLo] ? kExecLo : kExecHi], undefined,
           "which lanes run from here on depends on it");
  if (fidelity_ && (shadow.scalar_approximate[kExecLo] || shadow.scalar_approximate[kExecHi]))
    fidelity_->approximate_use(wave, inst, true);
  for (const unsigned index : {kExecLo, kExecHi}) {
    shadow.scalar[index] = 0;
    shadow.scalar_approximate[index] = false;
  }
}

// --- instructions ---

void RegisterCheck::before(Wave& wave, const Inst& inst) {
  const OpFacts& what = facts(*inst.op);
  WaveShadow& shadow = *waves_[wave.id];
  switch (what.group) {
    case Group::kVector:
      return vector(wave, inst, what);
    case Group::kScalar:
      return scalar(wave, inst, what);
    case Group::kMatrix:
      return matrix(wave, inst);
    case Group::kMemory:
      return memory(wave, inst, what);
    case Group::kReadLane:
      return read_lane(wave, inst, false);
    case Group::kReadFirstLane:
      return read_lane(wave, inst, true);
    case Group::kWriteLane:
      return write_lane(wave, inst);
    case Group::kLanePermute:
      return lane_permute(wave, inst);
    case Group::kSwap:
      return swap(wave, inst);
    case Group::kBranchScc:
      branch(wave, inst, shadow.scalar[kScc], 0, shadow.scalar_origin[kScc],
             shadow.scalar_approximate[kScc]);
      shadow.scalar[kScc] = 0;
      return;
    case Group::kBranchVcc: {
      const Operand vcc{.kind = Operand::Kind::kScalar, .type = Type::kMask, .index = kVccLo};
      branch(wave, inst, mask_bits(wave, vcc), wave.vcc(),
             shadow.scalar_origin[shadow.scalar[kVccLo] ? kVccLo : kVccHi],
             shadow.scalar_approximate[kVccLo] || shadow.scalar_approximate[kVccHi]);
      return;
    }
    case Group::kJump: {
      const ScalarValue to = scalar_value(wave, inst.src[0], true);
      branch(wave, inst, to.undefined, 0, origin_of(wave, inst.src[0]),
             approximate(wave, inst.src[0]));
      write_scalar(wave, inst, inst.dst[0], 0, 0, false);
      return;
    }
    case Group::kNothing:
      return;
  }
}

// `known_ones`: a set bit that is defined answers "is it zero" whatever the others are.
void RegisterCheck::branch(Wave& wave, const Inst& inst, u64 undefined, u64 known_ones,
                           OriginId from, bool is_approximate) {
  if (undefined != 0 && (known_ones & ~undefined) == 0)
    report(wave, inst, FindingKind::kUninitialisedBranch, from, 0, "");
  if (is_approximate && fidelity_) fidelity_->approximate_use(wave, inst, true);
}

void RegisterCheck::vector(Wave& wave, const Inst& inst, const OpFacts& what) {
  WaveShadow& shadow = *waves_[wave.id];
  const LaneMask lanes = written_lanes(wave, inst);
  const LaneMask approx = approximate_lanes(wave, inst);
  const Operand& to = inst.dst[0];
  if (to.is_vector())
    for (unsigned i = 0; i < dwords_of(to) && to.index + i < kVectorRows; ++i) {
      LaneMask& old = shadow.vector_approximate[to.index + i];
      old = (old & ~lanes) | (approx & lanes);
    }
  if (is_packed16(to.type)) return packed(wave, inst);

  const OriginId from = origin_of_sources(wave, inst);
  if (what.rule >= Rule::kWideSum && to.is_vector() && to.dwords == 2) {
    std::array<std::array<SourceDword, 2>, 3> sources;
    unsigned count = 0;
    for (; count < 3 && inst.src[count]; ++count)
      for (unsigned dword = 0; dword < std::min(dwords_of(inst.src[count]), 2U); ++dword)
        sources[count][dword] = source(wave, inst, count, dword);
    const auto results = apply_wide(what.rule, sources.data(), count);
    for (unsigned dword = 0; dword < 2; ++dword)
      write_dword(wave, inst, to, dword, results[dword], lanes, from);
    if (inst.dst[1].type == Type::kMask)  // a carry out
      write_mask(wave, inst, inst.dst[1], results[1].any() & wave.exec, from);
    return;
  }
  if (what.rule != Rule::kWhole && what.rule < Rule::kWideSum && to.is_vector()) {
    for (unsigned dword = 0; dword < dwords_of(to); ++dword) {
      std::array<SourceDword, 3> sources;
      unsigned count = 0;
      for (; count < 3 && inst.src[count] && inst.src[count].type != Type::kMask; ++count)
        sources[count] = source(wave, inst, count, dword);
      const Operand& mask = inst.src[2];
      const bool select = what.rule == Rule::kSelect;
      write_dword(wave, inst, to, dword,
                  soft::apply(what.rule, sources.data(), count, select ? wave.read_mask(mask) : 0,
                              select ? mask_bits(wave, mask) : 0),
                  lanes, from);
    }
    return;
  }
  LaneMask undefined = 0;
  for (unsigned i = 0; i < inst.src.size() && inst.src[i]; ++i)
    undefined |= source_lanes(wave, inst, i);
  if (inst.flags & kReadsVcc)
    undefined |= shadow.scalar[kVccLo] | (wave.lanes == 64 ? u64{shadow.scalar[kVccHi]} << 32 : 0);
  for (const Operand& each : inst.dst) {
    if (each.is_vector()) {
      for (unsigned i = 0; i < dwords_of(each); ++i)
        write_dword(wave, inst, each, i, UndefinedBytes::all(undefined), lanes, from);
    } else if (each.type == Type::kMask) {
      write_mask(wave, inst, each, undefined & wave.exec, from);
    } else if (each.is_scalar()) {
      write_scalar(wave, inst, each, undefined & lanes ? ~u64{0} : 0, from, approx != 0);
    }
  }
  if ((inst.flags & kImplicitExecDst) && (undefined & wave.exec) != 0) {
    const Operand exec{.kind = Operand::Kind::kScalar, .type = Type::kMask, .index = kExecLo};
    write_mask(wave, inst, exec, undefined & wave.exec, from);
  }
}

// Two halves, each from the halves that op_sel and op_sel_hi pick.
void RegisterCheck::packed(Wave& wave, const Inst& inst) {
  LaneMask low = 0, high = 0;
  for (unsigned i = 0; i < inst.src.size() && inst.src[i]; ++i) {
    const Operand& operand = inst.src[i];
    if (operand.is_constant()) continue;
    low |= source_half(wave, inst, i, operand.op_sel).any();
    high |= source_half(wave, inst, i, operand.op_sel_hi).any();
  }
  write_dword(wave, inst, inst.dst[0], 0, {{low, low, high, high}}, written_lanes(wave, inst),
              origin_of_sources(wave, inst));
}

void RegisterCheck::scalar(Wave& wave, const Inst& inst, const OpFacts& what) {
  WaveShadow& shadow = *waves_[wave.id];
  const Operand& to = inst.dst[0];
  const bool wide = to.dwords == 2 || inst.src[0].dwords == 2;
  const unsigned bits = to ? (to.dwords == 2 ? 64 : 32) : (wide ? 64 : 32);
  const ScalarValue a = scalar_value(wave, inst.src[0], inst.src[0].dwords == 2);
  ScalarValue b = scalar_value(wave, inst.src[1], inst.src[1].dwords == 2);
  ScalarRule rule = what.scalar.rule;
  if (what.scalar.exec) b = {.value = wave.exec};
  // Bits are followed only where source and result have the same width.
  if (rule != ScalarRule::kWhole && to && inst.src[0].dwords != to.dwords)
    rule = ScalarRule::kWhole;
  u64 undefined = soft::apply(rule, a, b, bits);
  bool scc_undefined = undefined != 0;
  bool approx = approximate(wave, inst.src[0]) || approximate(wave, inst.src[1]);
  OriginId from = origin_of_sources(wave, inst);
  if (rule == ScalarRule::kSelect && (inst.flags & kReadsScc) && shadow.scalar[kScc] == 0)
    undefined = wave.scc() ? a.undefined : b.undefined;
  if ((inst.flags & kReadsScc) && shadow.scalar[kScc] != 0) {
    undefined = bits == 64 ? ~u64{0} : 0xffffffffU;
    scc_undefined = true;
    if (from == 0) from = shadow.scalar_origin[kScc];
  }
  if (inst.flags & kReadsScc) approx |= shadow.scalar_approximate[kScc];
  if (fidelity_on(*inst.op, wave.isa) == Fidelity::kApproximate) approx = true;
  if (what.scalar.scc_is_zero_test && undefined != 0) {
    // A defined set bit of the result answers the question. The result's value is not known yet:
    // it is that of the operation on defined bits.
    const u64 known = value_of(rule, a.value, b.value, bits);
    scc_undefined = (known & ~undefined) == 0;
  }
  if (what.scalar.exec) {
    // The old EXEC is what goes to the destination; wrexec writes the new one.
    const bool new_to_dst = inst.op->name.find("_wrexec_") != std::string_view::npos;
    shadow.scalar[kExecLo] = static_cast<u32>(undefined);
    if (bits == 64) shadow.scalar[kExecHi] = static_cast<u32>(undefined >> 32);
    shadow.scalar_approximate[kExecLo] = approx;
    if (from != 0) shadow.scalar_origin[kExecLo] = shadow.scalar_origin[kExecHi] = from;
    exec_written(wave, inst);
    write_scalar(wave, inst, to, new_to_dst ? undefined : 0, from, approx && new_to_dst);
  } else {
    write_scalar(wave, inst, to, undefined, from, approx);
  }
  if (inst.flags & kWritesScc) {
    shadow.scalar[kScc] = scc_undefined ? 1 : 0;
    shadow.scalar_approximate[kScc] = approx;
    if (from != 0) shadow.scalar_origin[kScc] = from;
  }
}

// Rows of A and columns of B meet in ways that depend on the shape: one undefined element makes
// the whole result undefined; accumulators stay what they are.
void RegisterCheck::matrix(Wave& wave, const Inst& inst) {
  WaveShadow& shadow = *waves_[wave.id];
  const Operand& to = inst.dst[0];
  LaneMask any = 0;
  for (unsigned i = 0; i < inst.src.size() && inst.src[i]; ++i)
    if (i != 2) any |= source_lanes(wave, inst, i);
  any = any & wave.full_exec ? ~u64{0} : 0;
  const LaneMask approx = approximate_lanes(wave, inst) ? ~u64{0} : 0;
  const OriginId from = origin_of_sources(wave, inst);
  for (unsigned i = 0; i < dwords_of(to); ++i) {
    UndefinedBytes bytes = UndefinedBytes::all(any);
    if (inst.src[2] && i < dwords_of(inst.src[2])) bytes = bytes | source_dword(wave, inst, 2, i);
    write_dword(wave, inst, to, i, bytes, wave.full_exec, from);
    if (to.is_vector() && to.index + i < kVectorRows)
      shadow.vector_approximate[to.index + i] = approx;
  }
}

void RegisterCheck::read_lane(Wave& wave, const Inst& inst, bool first) {
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

// The value of a lane that does not run is no value: 0 on hardware, or what it last was.
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

// v_swap and the row swaps of gfx950: what is undefined in one register may be so in both after.
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
    const unsigned span = inst.op->name.starts_with("v_permlane16") ? 16 : 32;
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

// --- reports ---

void RegisterCheck::report(Wave& wave, const Inst& inst, FindingKind kind, OriginId from,
                           LaneMask lanes, std::string what) {
  const Origin* origin = from != 0 && from <= origins_.size() ? &origins_[from - 1] : nullptr;
  if (origin && origin->kind == Origin::Kind::kInactiveLane) kind = FindingKind::kInactiveLane;
  if (!findings_.is_new(kind, inst.address)) return;
  Finding finding;
  finding.kind = kind;
  finding.kernel = kernel_of(wave);
  finding.place = place_of(wave, inst);
  finding.actor = actor_of(wave);
  if (lanes != 0) finding.actor.lane = static_cast<unsigned>(std::countr_zero(lanes));
  finding.what = std::move(what);
  if (origin) {
    const std::string separator = finding.what.empty() ? "" : "; ";
    switch (origin->kind) {
      case Origin::Kind::kVector:
      case Origin::Kind::kScalar:
        finding.what += separator + fmt::format("it comes from {}, which was never written",
                                                register_name(*origin));
        break;
      case Origin::Kind::kLds:
        finding.what += separator + "it was read from shared memory that nobody wrote";
        break;
      case Origin::Kind::kScratch:
        finding.what += separator + "it was read from private memory that was never written";
        break;
      case Origin::Kind::kInactiveLane:
        finding.what += separator + "it was fetched from a lane that was not active";
        break;
    }
    if (origin->address != 0) {
      finding.other_role = "the value was made here";
      finding.other = place_at(wave, origin->address);
    }
  }
  findings_.add(std::move(finding));
}

}  // namespace hipwright::soft
