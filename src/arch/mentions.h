// SPDX-License-Identifier: MIT
// What source code says about targets by naming them: whole names, their beginnings ("gfx9") and
// the compiler's macros (__GFX9__).
#pragma once

#include <string_view>

namespace hipwright::arch {

// A target whose waves have 32 lanes by default, or 64.
bool mentions_wave32(std::string_view text);
bool mentions_wave64(std::string_view text);
// A macro that compilers define for a target or a family of targets: __gfx942__, __GFX9__.
bool mentions_target_macro(std::string_view text);
// In any case: a CDNA target that computes with 8-bit floats.
bool mentions_cdna_fp8(std::string_view text);
// In any case: a target whose 8-bit floats are those of the OCP standard; of CDNA alone.
bool mentions_ocp_fp8(std::string_view text);
bool mentions_cdna_ocp_fp8(std::string_view text);

}  // namespace hipwright::arch
