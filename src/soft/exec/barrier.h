// SPDX-License-Identifier: MIT
// Barriers of a workgroup: the one that all targets have, which gfx12 splits into signal and wait,
// and the named ones of gfx12. Waves that have ended count as arrived.
#pragma once

#include <cstdint>

#include "soft/exec/workgroup.h"

namespace hipwright::soft {

// Barriers as instructions number them; 1 to 16 are named ones.
constexpr int kGroupBarrier = -1;
constexpr int kTrapBarrier = -2;  // of trap handlers: kernels that use it do nothing
constexpr int kNullBarrier = 0;

// Call it when all waves of the group exist and none has run.
void start_barriers(Workgroup& group);

// The wave arrives; true: as the first of this round.
bool signal_barrier(Wave& wave, int barrier);
// Goes on at once when the round that the wave signalled is complete, else WaveState::kAtBarrier.
void wait_barrier(Wave& wave, int barrier);

// Named ones. `members` 0 keeps the number.
void init_barrier(Wave& wave, int barrier, unsigned members);
void join_barrier(Wave& wave, int barrier);
// True when the wave had joined one.
bool leave_barrier(Wave& wave);
std::uint32_t barrier_state(const Wave& wave, int barrier);

// s_endpgm: barriers wait for the wave no longer.
void end_wave(Wave& wave);

}  // namespace hipwright::soft
