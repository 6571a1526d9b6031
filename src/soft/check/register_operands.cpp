// SPDX-License-Identifier: MIT
// RegisterCheck: what is undefined in the sources of an instruction, and what it leaves so.
#include "soft/check/registers.h"

#include <algorithm>

#include "soft/check/source_lanes.h"

namespace hipwright::soft {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

bool is_16(Type type) {
  return type == Type::kB16 || type == Type::kF16 || type == Type::kBF16;
}

// Bytes of a scalar register with any undefined bit, for all lanes.
UndefinedBytes broadcast(u32 undefined) {
  UndefinedBytes bytes;
  for (unsigned i = 0; i < 4; ++i) bytes.byte[i] = (undefined >> (8 * i)) & 0xffU ? ~u64{0} : 0;
  return bytes;
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

}  // namespace

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

OriginId RegisterCheck::origin_of(const Wave& wave, const Operand& operand, LaneMask lanes) const {
  const WaveShadow& shadow = *waves_[wave.id];
  for (unsigned i = 0; i < dwords_of(operand); ++i) {
    const unsigned index = operand.index + i;
    if (operand.is_vector() && index < kVectorRows && (shadow.vector[index].any() & lanes) != 0)
      return shadow.vector_origin[index];
    if (operand.is_scalar() && index < kScalarCount && shadow.scalar[index] != 0)
      return shadow.scalar_origin[index];
  }
  return 0;
}

OriginId RegisterCheck::origin_of_sources(const Wave& wave, const Inst& inst) const {
  // Inactive lanes are often undefined: blame them only when no active lane is.
  for (const LaneMask lanes : {wave.exec, ~LaneMask{0}})
    for (const Operand& operand : inst.src)
      if (operand)
        if (const OriginId id = origin_of(wave, operand, lanes)) return id;
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
  // A report does not need to know which lane read which.
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
    const bool zeroes = is_gfx9(wave.isa) && !(inst.flags & kKeepsHigh) && !high;
    for (unsigned i = 0; i < 4; ++i) {
      const bool inside = (i >= 2) == high;
      written[i] = inside || zeroes;
      now.byte[i] = inside ? undefined.byte[i % 2] : 0;
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
           "it decides which lanes run from here on");
  if (fidelity_ && (shadow.scalar_approximate[kExecLo] || shadow.scalar_approximate[kExecHi]))
    fidelity_->approximate_use(wave, inst, true);
  for (const unsigned index : {kExecLo, kExecHi}) {
    shadow.scalar[index] = 0;
    shadow.scalar_approximate[index] = false;
  }
}

}  // namespace hipwright::soft
