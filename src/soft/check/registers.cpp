// SPDX-License-Identifier: MIT
#include "soft/check/registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "soft/check/source_lanes.h"
#include "soft/launch/launch.h"

namespace hipwright::soft {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

bool is_packed16(Type type) {
  return type == Type::kPkB16 || type == Type::kPkF16 || type == Type::kPkBF16;
}
bool is_packed32(Type type) {
  return type == Type::kPkB32 || type == Type::kPkF32;
}

}  // namespace

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
    // Compilers pack the three thread ids for functions, whether the kernel gets all of them or
    // not.
    const unsigned defined_rows = has_unpacked_thread_ids(wave.isa) ? 3 : 1;
    for (unsigned row = 0; row < kVectorRows; ++row) {
      shadow->vector[row] = row < defined_rows ? UndefinedBytes{} : UndefinedBytes::all(~u64{0});
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

// --- instructions ---

void RegisterCheck::before(Wave& wave, const Inst& inst) {
  switch (inst.op->lanes) {
    case LaneUse::kOwn:
      return before_by_class(wave, inst);
    case LaneUse::kReadOne:
    case LaneUse::kReadFirst:
      return read_lane(wave, inst);
    case LaneUse::kWriteOne:
      return write_lane(wave, inst);
    case LaneUse::kPermute:
    case LaneUse::kSwizzle:
    case LaneUse::kPull:
    case LaneUse::kPush:
      return lane_permute(wave, inst);
    case LaneUse::kSwap:
    case LaneUse::kSwapRows16:
    case LaneUse::kSwapRows32:
      return swap(wave, inst);
  }
}

void RegisterCheck::before_by_class(Wave& wave, const Inst& inst) {
  const Op& op = *inst.op;
  switch (op.kind) {
    case OpClass::kBranch:
      return branch(wave, inst);
    case OpClass::kVector:
    case OpClass::kTranscendental:
    case OpClass::kCrossLane:
      return vector(wave, inst);
    case OpClass::kMatrix:
      return matrix(wave, inst);
    case OpClass::kScalar:
      return scalar(wave, inst);
    case OpClass::kWait:
    case OpClass::kMessage:
      if (op.dst[0] != Type::kNone) scalar(wave, inst);
      return;
    default:
      if (op.flags & (kLoad | kStore | kAtomic)) return memory(wave, inst);
      // Clocks are read by the scalar memory unit, from no address.
      if (op.kind == OpClass::kScalarMemory && op.dst[0] != Type::kNone) scalar(wave, inst);
  }
}

void RegisterCheck::branch(Wave& wave, const Inst& inst) {
  WaveShadow& shadow = *waves_[wave.id];
  if (inst.op->flags & kReadsScc) {
    decide(wave, inst, shadow.scalar[kScc], 0, shadow.scalar_origin[kScc],
           shadow.scalar_approximate[kScc]);
    shadow.scalar[kScc] = 0;
  } else if (inst.op->flags & kReadsVcc) {
    const Operand vcc{.kind = Operand::Kind::kScalar, .type = Type::kMask, .index = kVccLo};
    decide(wave, inst, mask_bits(wave, vcc), wave.vcc(),
           shadow.scalar_origin[shadow.scalar[kVccLo] ? kVccLo : kVccHi],
           shadow.scalar_approximate[kVccLo] || shadow.scalar_approximate[kVccHi]);
  } else if (inst.op->src[0] != Type::kNone) {  // to an address in a register
    const ScalarValue to = scalar_value(wave, inst.src[0], true);
    decide(wave, inst, to.undefined, 0, origin_of(wave, inst.src[0]),
           approximate(wave, inst.src[0]));
    write_scalar(wave, inst, inst.dst[0], 0, 0, false);
  } else if (inst.op->dst[0] != Type::kNone) {
    scalar(wave, inst);
  }
}

// `known_ones`: a set bit that is defined answers "is it zero" whatever the others are.
void RegisterCheck::decide(Wave& wave, const Inst& inst, u64 undefined, u64 known_ones,
                           OriginId from, bool is_approximate) {
  if (undefined != 0 && (known_ones & ~undefined) == 0)
    report(wave, inst, FindingKind::kUninitialisedBranch, from, 0, "");
  if (is_approximate && fidelity_) fidelity_->approximate_use(wave, inst, true);
}

void RegisterCheck::vector(Wave& wave, const Inst& inst) {
  WaveShadow& shadow = *waves_[wave.id];
  const LaneMask lanes = written_lanes(wave, inst);
  const LaneMask approx = approximate_lanes(wave, inst);
  const Operand& to = inst.dst[0];
  if (to.is_vector())
    for (unsigned i = 0; i < dwords_of(to) && to.index + i < kVectorRows; ++i) {
      LaneMask& old = shadow.vector_approximate[to.index + i];
      old = (old & ~lanes) | (approx & lanes);
    }
  if (is_packed16(to.type)) return packed16(wave, inst);
  if (is_packed32(to.type)) return packed32(wave, inst);

  const VectorRule rule = inst.op->vector_rule;
  const OriginId from = origin_of_sources(wave, inst);
  if (rule >= VectorRule::kWideSum && to.is_vector() && to.dwords == 2) {
    std::array<std::array<SourceDword, 2>, 3> sources;
    unsigned count = 0;
    for (; count < 3 && inst.src[count]; ++count)
      for (unsigned dword = 0; dword < std::min(dwords_of(inst.src[count]), 2U); ++dword)
        sources[count][dword] = source(wave, inst, count, dword);
    const auto results = apply_wide(rule, sources.data(), count);
    for (unsigned dword = 0; dword < 2; ++dword)
      write_dword(wave, inst, to, dword, results[dword], lanes, from);
    if (inst.dst[1].type == Type::kMask)  // a carry out
      write_mask(wave, inst, inst.dst[1], results[1].any() & wave.exec, from);
    return;
  }
  if (rule != VectorRule::kWhole && rule < VectorRule::kWideSum && to.is_vector()) {
    for (unsigned dword = 0; dword < dwords_of(to); ++dword) {
      std::array<SourceDword, 3> sources;
      unsigned count = 0;
      for (; count < 3 && inst.src[count] && inst.src[count].type != Type::kMask; ++count)
        sources[count] = source(wave, inst, count, dword);
      const Operand& mask = inst.src[2];
      const bool select = rule == VectorRule::kSelect;
      write_dword(wave, inst, to, dword,
                  soft::apply(rule, sources.data(), count, select ? wave.read_mask(mask) : 0,
                              select ? mask_bits(wave, mask) : 0),
                  lanes, from);
    }
    return;
  }
  LaneMask undefined = 0;
  for (unsigned i = 0; i < inst.src.size() && inst.src[i]; ++i)
    undefined |= (inst.flags & kMixesHalves) && inst.src[i].op_sel_hi
                     ? source_half(wave, inst, i, inst.src[i].op_sel).any()
                     : source_lanes(wave, inst, i);
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
void RegisterCheck::packed16(Wave& wave, const Inst& inst) {
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

// Two registers, each from the registers that op_sel and op_sel_hi pick. A move takes its low
// result from the first source and its high one from the second.
void RegisterCheck::packed32(Wave& wave, const Inst& inst) {
  const bool move = inst.dst[0].type == Type::kPkB32;
  std::array<LaneMask, 2> undefined{};
  for (unsigned i = 0; i < inst.src.size() && inst.src[i]; ++i)
    for (unsigned half = 0; half < 2; ++half) {
      const Operand& operand = inst.src[i];
      if (operand.is_constant() || (move && i != half)) continue;
      const bool high = half == 0 || move ? operand.op_sel : operand.op_sel_hi;
      undefined[half] |= source_dword(wave, inst, i, high ? 1 : 0).any();
    }
  const LaneMask lanes = written_lanes(wave, inst);
  const OriginId from = origin_of_sources(wave, inst);
  for (unsigned half = 0; half < 2; ++half)
    write_dword(wave, inst, inst.dst[0], half, UndefinedBytes::all(undefined[half]), lanes, from);
}

void RegisterCheck::scalar(Wave& wave, const Inst& inst) {
  WaveShadow& shadow = *waves_[wave.id];
  const Operand& to = inst.dst[0];
  const bool wide = to.dwords == 2 || inst.src[0].dwords == 2;
  const unsigned bits = to ? (to.dwords == 2 ? 64 : 32) : (wide ? 64 : 32);
  const ScalarValue a = scalar_value(wave, inst.src[0], inst.src[0].dwords == 2);
  ScalarValue b = scalar_value(wave, inst.src[1], inst.src[1].dwords == 2);
  ScalarRule rule = inst.op->scalar_rule;
  const bool changes_exec = inst.op->kind == OpClass::kScalar && (inst.flags & kImplicitExecDst);
  if (changes_exec) b = {.value = wave.exec};
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
  if ((inst.flags & kSccIsZeroTest) && undefined != 0) {
    // A defined set bit of the result answers the question. The result's value is not known yet:
    // it is that of the operation on defined bits.
    const u64 known = value_of(rule, a.value, b.value, bits);
    scc_undefined = (known & ~undefined) == 0;
  }
  if (changes_exec) {
    // The old EXEC is what goes to the destination; wrexec writes the new one.
    const bool new_to_dst = (inst.flags & kNewExecToDst) != 0;
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
// the whole result undefined; accumulators are unchanged.
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

// --- reports ---

void RegisterCheck::report(Wave& wave, const Inst& inst, FindingKind kind, OriginId from,
                           LaneMask lanes, std::string what) {
  const Origin* origin = from != 0 && from <= origins_.size() ? &origins_[from - 1] : nullptr;
  if (origin && origin->kind == Origin::Kind::kInactiveLane) kind = FindingKind::kInactiveLane;
  if (!findings_.is_new(kind, inst.address)) return;
  CheckFinding finding;
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
        finding.what += separator + "it was read from shared memory that was never written";
        break;
      case Origin::Kind::kScratch:
        finding.what += separator + "it was read from private memory that was never written";
        break;
      case Origin::Kind::kInactiveLane:
        finding.what += separator + "it was read from an inactive lane";
        break;
    }
    if (origin->address != 0) {
      finding.other_role = "the value comes from here";
      finding.other = place_at(wave, origin->address);
    }
  }
  findings_.add(std::move(finding));
}

}  // namespace hipwright::soft
