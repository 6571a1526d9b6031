// SPDX-License-Identifier: MIT
#include "soft/check/source_lanes.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

namespace hipwright::soft {

// The interpreter's own rules (exec/ops/valu.cpp), at the level that every machine has.
namespace generic {
std::uint64_t dpp_sources(const Wave& wave, const DppControl& dpp, std::uint32_t* lane);
std::uint64_t dpp_write_mask(const Wave& wave, const DppControl& dpp);
}  // namespace generic

LaneMask dpp_source_lanes(const Wave& wave, const DppControl& dpp, std::uint8_t* lane) {
  std::array<std::uint32_t, 64> sources{};
  const LaneMask valid = generic::dpp_sources(wave, dpp, sources.data());
  for (unsigned i = 0; i < wave.lanes; ++i) lane[i] = static_cast<std::uint8_t>(sources[i]);
  return valid;
}
LaneMask dpp_written_lanes(const Wave& wave, const DppControl& dpp) {
  return generic::dpp_write_mask(wave, dpp);
}

// Runs the instruction itself on a wave whose lanes hold their own numbers.
PermuteLanes permute_source_lanes(const Wave& wave, const Inst& inst, std::uint8_t* lane) {
  constexpr std::uint32_t kOld = 0xffffffffU;
  const LaneUse use = inst.op->lanes;
  PermuteLanes result;
  if (use == LaneUse::kPull || use == LaneUse::kPush) result.data = 1;

  // Row 0 is the destination, then the sources.
  alignas(64) std::array<std::uint32_t, std::size_t{4} * 64> rows{};
  Wave model;
  model.vectors = rows.data();
  model.lanes = wave.lanes;
  model.full_exec = wave.full_exec;
  model.scalars = wave.scalars;
  model.isa = wave.isa;
  model.set_exec(wave.exec);
  Inst probe = inst;
  probe.dst[0].index = 0;
  for (unsigned i = 0; i < wave.lanes; ++i) rows[i] = kOld;
  for (unsigned i = 0; i < 3; ++i) {
    Operand& operand = probe.src[i];
    if (!operand.is_vector() && i != result.data) continue;
    std::uint32_t* row = model.vgpr(i + 1);
    for (unsigned each = 0; each < wave.lanes; ++each)
      row[each] = i == result.data ? each + 1 : wave.vgpr(operand.index)[each];
    operand.kind = Operand::Kind::kVector;
    operand.index = static_cast<std::uint16_t>(i + 1);
  }
  inst.run(model, probe);
  // ds_permute and bound_ctrl say 0 on purpose.
  const bool zero_is_meant = use == LaneUse::kPush || use == LaneUse::kPermute;
  for (unsigned i = 0; i < wave.lanes; ++i) {
    const LaneMask bit = LaneMask{1} << i;
    const std::uint32_t value = rows[i];
    if (value == kOld)
      result.kept |= bit;
    else if (value == 0)
      (zero_is_meant ? result.zero : result.missing) |= bit;
    else
      lane[i] = static_cast<std::uint8_t>(value - 1);
  }
  return result;
}

std::string vector_name(unsigned row) {
  return row < kAccumulator0 ? fmt::format("v{}", row) : fmt::format("a{}", row - kAccumulator0);
}

std::string scalar_name(unsigned index) {
  switch (index) {
    case kVccLo:
      return "vcc_lo";
    case kVccHi:
      return "vcc_hi";
    case kM0:
      return "m0";
    case kExecLo:
      return "exec_lo";
    case kExecHi:
      return "exec_hi";
    case kScc:
      return "scc";
    default:
      return index >= kTtmp0 && index < kM0 ? fmt::format("ttmp{}", index - kTtmp0)
                                            : fmt::format("s{}", index);
  }
}

std::string register_name(const Origin& origin) {
  return origin.kind == Origin::Kind::kVector ? vector_name(origin.reg) : scalar_name(origin.reg);
}

}  // namespace hipwright::soft
