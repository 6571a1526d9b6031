// SPDX-License-Identifier: MIT
// The loop that runs a wave.
#pragma once

#include <cstdint>

#include "soft/exec/wave.h"

namespace hipwright::soft {

// Runs `wave` until it ends, waits, faults or has run `quantum` instructions.
void run_wave(Wave& wave, std::uint64_t quantum);

}  // namespace hipwright::soft
