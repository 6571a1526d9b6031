// SPDX-License-Identifier: MIT
#include "soft/check/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace hipwright::soft {

namespace {

using u32 = std::uint32_t;
using Kind = Fp8Use::Kind;

bool is_fnuz(Isa isa) {
  return isa == Isa::kGfx942;
}

// NaN or an infinity in the target's format. All of them are numbers in the other one.
bool is_special(u32 code, bool bf8, Isa isa) {
  if (is_fnuz(isa)) return code == 0x80U;
  return (code & 0x7fU) >= (bf8 ? 0x7cU : 0x7fU);
}

// The number that a code of e4m3fnuz or e5m2fnuz is; not for 0x80.
double fnuz_number(u32 code, bool bf8) {
  const unsigned mantissa = bf8 ? 2 : 3;
  const int bias = bf8 ? 16 : 8;
  const int exponent = static_cast<int>((code & 0x7fU) >> mantissa);
  const int fraction = static_cast<int>(code & ((1U << mantissa) - 1U));
  const int significand = exponent == 0 ? fraction : fraction + (1 << mantissa);
  const double magnitude =
      std::ldexp(significand, std::max(exponent, 1) - bias - static_cast<int>(mantissa));
  return code & 0x80U ? -magnitude : magnitude;
}

std::string_view format_name(bool bf8, bool fnuz) {
  if (bf8) return fnuz ? "e5m2fnuz" : "e5m2 (OCP)";
  return fnuz ? "e4m3fnuz" : "e4m3fn (OCP)";
}

double largest(bool bf8, Isa isa) {
  if (bf8) return 57344;
  return is_fnuz(isa) ? 240 : 448;
}

u32 value_of(const Wave& wave, const Operand& operand, unsigned dword, unsigned lane) {
  if (operand.is_vector()) return wave.vgpr(operand.index + dword)[lane];
  if (operand.is_scalar()) return wave.read_scalar(operand.index + dword);
  return static_cast<u32>(operand.value >> (dword ? 32 : 0));
}

// The lowest of the bytes that a conversion reads.
unsigned first_byte(const Inst& inst, const Operand& operand) {
  if (inst.flags & kHasSdwa) {
    if (operand.sel <= static_cast<unsigned>(Sdwa::kByte3)) return operand.sel;
    return operand.sel == static_cast<unsigned>(Sdwa::kWord1) ? 2 : 0;
  }
  if (inst.byte_sel_set) return inst.byte_sel & 3U;
  return operand.op_sel || operand.high_half ? 2 : 0;
}

}  // namespace

void FormatCheck::before(const Wave& wave, const Inst& inst) {
  const Fp8Use& use = inst.op->fp8;
  switch (use.kind) {
    case Kind::kNone:
      return;
    case Kind::kDecode:
    case Kind::kDecodePair:
      return decode(wave, inst, use);
    case Kind::kEncode:
      return encode(wave, inst, use);
    case Kind::kMultiply:
      return multiply(wave, inst, use);
  }
}

void FormatCheck::decode(const Wave& wave, const Inst& inst, const Fp8Use& use) {
  if (inst.flags & kHasDpp) return;  // other lanes' values: not followed
  const Operand& from = inst.src[0];
  const unsigned first = first_byte(inst, from), count = use.kind == Kind::kDecodePair ? 2 : 1;
  for (LaneMask rest = wave.exec; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const u32 value = value_of(wave, from, 0, lane);
    for (unsigned i = first; i < first + count; ++i)
      if (const u32 code = (value >> (8 * i)) & 0xffU; is_special(code, use.bf8, wave.isa))
        return special_read(wave, inst, use.bf8, lane, code);
  }
}

void FormatCheck::multiply(const Wave& wave, const Inst& inst, const Fp8Use& use) {
  // Matrix operations take all lanes, whatever EXEC says.
  const LaneMask lanes = inst.op->kind == OpClass::kMatrix ? wave.full_exec : wave.exec;
  for (unsigned number = 0; number < 2; ++number) {
    const Operand& from = inst.src[number];
    const bool bf8 = number == 0 ? use.bf8 : use.second_bf8;
    for (unsigned dword = 0; dword < std::max<unsigned>(from.dwords, 1); ++dword)
      for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const u32 value = value_of(wave, from, dword, lane);
        for (unsigned i = 0; i < 4; ++i)
          if (const u32 code = (value >> (8 * i)) & 0xffU; is_special(code, bf8, wave.isa))
            return special_read(wave, inst, bf8, lane, code);
      }
  }
}

void FormatCheck::special_read(const Wave& wave, const Inst& inst, bool bf8, unsigned lane,
                               u32 code) {
  if ((bf8 ? made_.bf8 : made_.fp8).load(std::memory_order_relaxed)) return;
  const bool fnuz = is_fnuz(wave.isa);
  const bool infinite = !fnuz && bf8 && (code & 0x7fU) == 0x7cU;
  report(wave, inst, lane,
         fmt::format(
             "{:#04x} is {} in {}, this target's format, and {} in {}; no conversion on the "
             "device made it",
             code, infinite ? "infinite" : "NaN", format_name(bf8, fnuz),
             fnuz ? "-0" : fmt::format("{}", fnuz_number(code, bf8)), format_name(bf8, !fnuz)));
}

void FormatCheck::encode(const Wave& wave, const Inst& inst, const Fp8Use& use) {
  std::atomic<bool>& made = use.bf8 ? made_.bf8 : made_.fp8;
  if (inst.flags & kHasDpp) {
    made = true;  // perhaps: other lanes' values are not followed
    return;
  }
  const bool saturates = wave.mode.fp16_overflow || inst.clamp;
  const double limit = largest(use.bf8, wave.isa);
  // From here on rounding gives NaN; random bits may do so from one unit below.
  const double overflow = use.stochastic ? 256 : 248, ocp_last = use.stochastic ? 448 : 464;
  const unsigned sources = use.stochastic ? 1 : 2;
  for (LaneMask rest = wave.exec; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    for (unsigned number = 0; number < sources; ++number) {
      const double value = std::bit_cast<float>(value_of(wave, inst.src[number], 0, lane));
      const double magnitude = std::fabs(value);
      if (magnitude <= limit) continue;
      if (is_fnuz(wave.isa) && !use.bf8 && !saturates && magnitude >= overflow &&
          magnitude <= ocp_last)
        report(wave, inst, lane,
               fmt::format("{} becomes NaN: the largest number of e4m3fnuz, this target's format, "
                           "is 240; 448 is that of e4m3fn (OCP)",
                           value));
      made = true;
    }
  }
}

void FormatCheck::report(const Wave& wave, const Inst& inst, unsigned lane, std::string what) {
  if (!findings_.is_new(FindingKind::kFp8Format, inst.address)) return;
  CheckFinding finding;
  finding.kind = FindingKind::kFp8Format;
  finding.kernel = kernel_of(wave);
  finding.place = place_of(wave, inst);
  finding.actor = actor_of(wave, lane);
  finding.what = std::move(what);
  findings_.add(std::move(finding));
}

}  // namespace hipwright::soft
