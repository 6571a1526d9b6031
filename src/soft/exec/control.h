// SPDX-License-Identifier: MIT
// What control instructions do outside their wave.
#pragma once

#include <cstdint>

#include "soft/exec/wave.h"

namespace hipwright::soft {

// Goes on at `address`; a fault when no instruction begins there.
void jump(Wave& wave, const Inst& inst, std::uint64_t address);
// s_trap.
void trap(Wave& wave, const Inst& inst, unsigned id);
// s_sendmsg: `message` is the encoded immediate.
void send_message(Wave& wave, const Inst& inst, unsigned message);
// s_sendmsg_rtn: the answer; faults the wave when there is none.
std::uint64_t ask(Wave& wave, const Inst& inst, unsigned message);
// s_getreg and s_setreg: `field` is the encoded id, offset and size.
std::uint32_t get_register(Wave& wave, const Inst& inst, unsigned field);
void set_register(Wave& wave, const Inst& inst, unsigned field, std::uint32_t value);
// Not done here, and why: "it needs a debugger".
void refuse(Wave& wave, const Inst& inst, const char* why);

}  // namespace hipwright::soft
