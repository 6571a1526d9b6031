// SPDX-License-Identifier: MIT
// What control instructions do outside their wave.
#pragma once

#include <cstdint>

#include "soft/exec/wave.h"

namespace hipwright::soft {

// Goes on at `address`; a fault when no instruction begins there.
void jump(Wave& wave, const Inst& inst, std::uint64_t address);
// Nanoseconds, for clocks that kernels read. Where the schedule is reproducible it counts
// instructions instead of time.
std::uint64_t clock_ns(const Wave& wave);
// s_trap.
void trap(Wave& wave, const Inst& inst, unsigned id);
// s_sendmsg: `message` is the encoded immediate.
void send_message(Wave& wave, const Inst& inst, unsigned message);
// s_sendmsg_rtn: the answer; a message without one faults the wave.
std::uint64_t ask(Wave& wave, const Inst& inst, unsigned message);
// s_getreg and s_setreg: `field` is the encoded id, offset and size.
std::uint32_t get_register(Wave& wave, const Inst& inst, unsigned field);
void set_register(Wave& wave, const Inst& inst, unsigned field, std::uint32_t value);
// Faults the wave as unsupported; `why`: "it needs a debugger".
void refuse(Wave& wave, const Inst& inst, const char* why);

}  // namespace hipwright::soft
