// SPDX-License-Identifier: MIT
// Accesses outside memory and misaligned ones, described by the allocations around them.
#pragma once

#include <string>

#include "soft/check/findings.h"
#include "soft/exec/access.h"

namespace hipwright::soft {

// "4 bytes after the end of allocation #3 (1024 bytes at 0x…)". `freed` is set when the address
// lies in memory that was freed.
std::string whereabouts(const Memory& memory, std::uint64_t address, unsigned bytes, bool* freed);

// Who makes the access, where and to what; the sentence is left to say.
CheckFinding finding_of(FindingKind kind, const Wave& wave, const Inst& inst, const Access& access,
                        unsigned lane);

void report_bad_address(Findings& findings, const Wave& wave, const Inst& inst,
                        const Access& access, std::uint64_t lanes);
// Loads from behind the arguments, which would be whatever lies there.
void check_arguments(Findings& findings, const Wave& wave, const Inst& inst, const Access& access);
void check_alignment(Findings& findings, const Wave& wave, const Inst& inst, const Access& access);

// "store of 4 bytes".
std::string text_of(const Access& access);

}  // namespace hipwright::soft
