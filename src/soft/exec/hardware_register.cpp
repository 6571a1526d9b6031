// SPDX-License-Identifier: MIT
#include "soft/exec/hardware_register.h"

#include <algorithm>

#include "soft/exec/control.h"
#include "soft/exec/workgroup.h"

namespace hipwright::soft {

namespace {

// Ids that mean the same on all targets.
constexpr unsigned kMode = 1, kStatus = 2, kGprAlloc = 5, kLdsAlloc = 6, kIbStatus = 7;
// gfx9 to gfx11.
constexpr unsigned kTrapStatus = 3, kShMemBases = 15;
// gfx9.
constexpr unsigned kHwId = 4, kTbaLo = 16, kTmaHi = 19, kXccId = 20;
// gfx10 and later.
constexpr unsigned kScratchBaseLo = 20, kScratchBaseHi = 21, kHwId1 = 23, kHwId2 = 24,
                   kShaderCycles = 29;
// gfx12.
constexpr unsigned kStatePriv = 4, kExcpFlagPriv = 17, kExcpFlagUser = 18, kTrapCtrl = 19,
                   kSchedMode = 26, kShaderCyclesHi = 30;

// MODE, gfx9.
constexpr std::uint32_t kGprIndexEnable = 1U << 27, kSkipVectors = 1U << 28;

std::uint32_t status(const Wave& wave) {
  std::uint32_t bits = 1U << 16;  // valid
  if (wave.scc() && wave.isa != Isa::kGfx12) bits |= 1U;
  if (wave.exec == 0) bits |= 1U << 9;
  if (wave.vcc() == 0) bits |= 1U << 10;
  if (wave.group && wave.group->waves.size() > 1) bits |= 1U << 11;
  return bits;
}

const toolchain::KernelDescriptor* descriptor(const Wave& wave) {
  return wave.group && wave.group->launch ? wave.group->launch->descriptor : nullptr;
}

std::uint32_t gpr_alloc(const Wave& wave) {
  const toolchain::KernelDescriptor* kernel = descriptor(wave);
  if (!kernel || kernel->allocated_vgprs == 0) return 0;
  const unsigned vgprs = kernel->allocated_vgprs;
  if (!is_gfx9(wave.isa)) return ((vgprs + 7) / 8 - 1) << 12;
  const unsigned sgprs = std::max(kernel->allocated_sgprs, 16U);
  return ((vgprs + 7) / 8 - 1) << 8 | ((sgprs + 15) / 16 - 1) << 24;
}

std::uint32_t lds_alloc(const Wave& wave) {
  return wave.group ? ((wave.group->lds_size + 511U) / 512U) << 12 : 0;
}

// The scratch base is of no use to a kernel here; FLAT and SCRATCH know where it is.
std::uint64_t scratch_base(const Wave& wave) {
  if (!wave.group || !wave.group->scratch) return 0;
  return reinterpret_cast<std::uint64_t>(wave.group->scratch_of(wave));
}

std::optional<std::uint32_t> read_gfx9(const Wave& wave, unsigned id) {
  const unsigned cu = wave.group ? static_cast<unsigned>(wave.group->number % 16) : 0;
  switch (id) {
    case kTrapStatus:
      return wave.hw_trap_status;
    case kHwId:
      return (wave.id / 4 & 0xfU) | (wave.id & 3U) << 4 | cu << 8;
    case kShMemBases:
      return static_cast<std::uint32_t>(kSharedAperture >> 48 << 16 | kPrivateAperture >> 48);
    case kXccId:
      if (!is_gfx942_or_gfx950(wave.isa)) return std::nullopt;
      return 0;
    default:
      // No trap handler is installed.
      if (id >= kTbaLo && id <= kTmaHi) return 0;
      return std::nullopt;
  }
}

std::optional<std::uint32_t> read_gfx10(const Wave& wave, unsigned id) {
  const bool gfx12 = wave.isa == Isa::kGfx12;
  const unsigned wgp = wave.group ? static_cast<unsigned>(wave.group->number % 16) : 0;
  switch (id) {
    case kTrapStatus:
      return gfx12 ? std::nullopt : std::optional(wave.hw_trap_status);
    case kShMemBases:
      if (gfx12) return std::nullopt;
      return static_cast<std::uint32_t>(kSharedAperture >> 48 << 16 | kPrivateAperture >> 48);
    case kScratchBaseLo:
      return static_cast<std::uint32_t>(scratch_base(wave));
    case kScratchBaseHi:
      return static_cast<std::uint32_t>(scratch_base(wave) >> 32);
    case kTbaLo:
    case kTbaLo + 1:
    case kTmaHi - 1:
    case kTmaHi:
      if (wave.isa != Isa::kGfx10) break;
      return 0;  // no trap handler is installed
    case kHwId1:
      return (wave.id / 4 & 0x1fU) | (wave.id & 3U) << 8 | wgp << 10;
    case kHwId2:
      return 0;
    case kShaderCycles:
      return static_cast<std::uint32_t>(gfx12 ? clock_ns(wave) : clock_ns(wave) & 0xfffffU);
    default:
      break;
  }
  if (!gfx12) return std::nullopt;
  switch (id) {
    case kStatePriv:
      return wave.scc() ? 1U << 9 : 0U;
    case kExcpFlagPriv:
    case kTrapCtrl:
    case kSchedMode:
      return 0;
    case kExcpFlagUser:
      return wave.hw_trap_status;
    case kShaderCyclesHi:
      return static_cast<std::uint32_t>(clock_ns(wave) >> 32);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::uint32_t mode_bits(const Wave& wave) {
  const FloatMode& mode = wave.mode;
  std::uint32_t bits = mode.round_f32 | static_cast<unsigned>(mode.round_f64_f16) << 2 |
                       static_cast<unsigned>(mode.denormal_f32) << 4 |
                       static_cast<unsigned>(mode.denormal_f64_f16) << 6 |
                       (mode.fp16_overflow ? 1U << 23 : 0U);
  if (wave.isa != Isa::kGfx12)
    bits |= (mode.dx10_clamp ? 1U << 8 : 0U) | (mode.ieee ? 1U << 9 : 0U);
  if (wave.indexes_registers) bits |= kGprIndexEnable;
  if (wave.skips_vectors) bits |= kSkipVectors;
  return bits;
}

void set_mode_bits(Wave& wave, std::uint32_t bits) {
  FloatMode& mode = wave.mode;
  mode.round_f32 = bits & 3U;
  mode.round_f64_f16 = bits >> 2 & 3U;
  mode.denormal_f32 = bits >> 4 & 3U;
  mode.denormal_f64_f16 = bits >> 6 & 3U;
  mode.fp16_overflow = (bits >> 23 & 1U) != 0;
  if (wave.isa != Isa::kGfx12) {
    mode.dx10_clamp = (bits >> 8 & 1U) != 0;
    mode.ieee = (bits >> 9 & 1U) != 0;
  }
  if (is_gfx9(wave.isa))
    wave.set_vector_modes((bits & kGprIndexEnable) != 0, (bits & kSkipVectors) != 0);
}

std::optional<std::uint32_t> read_hardware_register(const Wave& wave, unsigned id) {
  switch (id) {
    case kMode:
      return mode_bits(wave);
    case kStatus:
      return status(wave);
    case kGprAlloc:
      return gpr_alloc(wave);
    case kLdsAlloc:
      return lds_alloc(wave);
    case kIbStatus:
      return 0;  // nothing is outstanding: memory instructions end before the next one
    default:
      return is_gfx9(wave.isa) ? read_gfx9(wave, id) : read_gfx10(wave, id);
  }
}

bool write_hardware_register(Wave& wave, unsigned id, std::uint32_t value, std::uint32_t mask) {
  const bool gfx12 = wave.isa == Isa::kGfx12;
  if (id == kMode) {
    set_mode_bits(wave, (mode_bits(wave) & ~mask) | (value & mask));
    return true;
  }
  if (id == (gfx12 ? kExcpFlagUser : kTrapStatus)) {
    wave.hw_trap_status = (wave.hw_trap_status & ~mask) | (value & mask);
    return true;
  }
  // A kernel of gfx10 says here where its scratch is: at another place than its own it is refused.
  if (wave.isa == Isa::kGfx10 && (id == kScratchBaseLo || id == kScratchBaseHi)) {
    const std::uint64_t base = scratch_base(wave) >> (id == kScratchBaseHi ? 32 : 0);
    return mask == ~0U && value == static_cast<std::uint32_t>(base);
  }
  // How the hardware may order instructions: here they run one after the other.
  return gfx12 && id == kSchedMode;
}

}  // namespace hipwright::soft
