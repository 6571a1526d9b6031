// SPDX-License-Identifier: MIT
// What follows the operands: clamp, op_sel, DPP, SDWA, offsets, cache policy.
#pragma once

#include <string>

#include "soft/decode/parsed_text.h"
#include "soft/exec/inst.h"
#include "soft/exec/wave.h"

namespace hipwright::soft {

// Sets the fields of `inst`, whose operands are filled, and its flags kPlain, kHasDpp, kHasSdwa.
// Returns why it cannot, or an empty text. An unknown modifier is a reason.
std::string apply_modifiers(Inst& inst, const ParsedInst& parsed, Isa isa);

}  // namespace hipwright::soft
