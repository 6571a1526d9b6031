// SPDX-License-Identifier: MIT
// Which lane an instruction takes a value from.
#pragma once

#include <cstdint>
#include <string>

#include "soft/check/shadow.h"
#include "soft/exec/wave.h"

namespace hipwright::soft {

// DPP: fills `lane` with the source of each lane and returns the lanes that have one.
LaneMask dpp_source_lanes(const Wave& wave, const DppControl& dpp, std::uint8_t* lane);
LaneMask dpp_written_lanes(const Wave& wave, const DppControl& dpp);

// permlane, bpermute, permute and swizzle.
struct PermuteLanes {
  unsigned data = 0;     // the source operand whose lanes move
  LaneMask missing = 0;  // lanes whose source does not run
  LaneMask zero = 0;     // lanes that get 0 by the instruction's rules
  LaneMask kept = 0;     // lanes that keep their old value
};
PermuteLanes permute_source_lanes(const Wave& wave, const Inst& inst, std::uint8_t* lane);

// "v5", "a3", "s12", "vcc_lo", "scc".
std::string register_name(const Origin& origin);
std::string vector_name(unsigned row);
std::string scalar_name(unsigned index);

}  // namespace hipwright::soft
