// SPDX-License-Identifier: MIT
// The only way from an instruction to memory: it validates the addresses of a wave, once per
// instruction, and shows them to the checks.
#pragma once

#include <cstdint>

#include "soft/exec/wave.h"
#include "soft/exec/workgroup.h"

namespace hipwright::soft {

enum class Space : std::uint8_t { kGlobal, kLds, kScratch };
enum class AccessKind : std::uint8_t { kLoad, kStore, kAtomic };

// One access of a wave, lane by lane. Global addresses are pointers; LDS and scratch addresses
// are byte offsets.
struct Access {
  Space space = Space::kGlobal;
  AccessKind kind = AccessKind::kLoad;
  unsigned bytes = 4;                        // per lane
  std::uint64_t mask = 0;                    // lanes that take part
  const std::uint64_t* addresses = nullptr;  // one per lane
  bool scalar = false;  // one address for the whole wave (SMEM): lane 0 of `addresses`
};

// Tensile, which writes rocBLAS's and hipBLASLt's kernels, counts on what the hardware does outside
// of LDS (loads give 0, stores do nothing): it sends the lanes that have nothing to do, and loads
// that are to make zeros, to this address plus an offset of 16 bits. Not a mistake, so it is no
// fault.
constexpr bool is_nowhere_in_lds(std::uint64_t address) {
  return address >> 16 == 0xf0;
}

// Returns the lanes that may go on. A lane outside every allocation (or outside the workgroup's
// LDS or the lane's scratch) faults the wave; with checks on it may be reported and left out
// instead. Lanes nowhere in LDS are left out without a fault, except those of atomics. A wave in
// WaveState::kFault must not touch memory: the result is 0 then.
std::uint64_t admit(Wave& wave, const Inst& inst, const Access& access);

}  // namespace hipwright::soft
