// SPDX-License-Identifier: MIT
// The steps of IEEE division: compilers make a correctly rounded quotient of them and a
// reciprocal. And the table of 2/pi that range reduction of sines reads.
#pragma once

#include "soft/exec/inst.h"
#include "soft/exec/ops/ops.h"
#include "soft/exec/wave.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

// Scales numerator or denominator away from overflow; the mask tells div_fmas to undo it.
void div_scale_f32(Wave& wave, const Inst& inst);
void div_scale_f64(Wave& wave, const Inst& inst);
// The last step of the refinement, scaled back where VCC says so.
void div_fmas_f32(Wave& wave, const Inst& inst);
void div_fmas_f64(Wave& wave, const Inst& inst);
// Zeros, infinities, NaNs and the sign.
void div_fixup_f16(Wave& wave, const Inst& inst);
void div_fixup_f32(Wave& wave, const Inst& inst);
void div_fixup_f64(Wave& wave, const Inst& inst);
void trig_preop_f64(Wave& wave, const Inst& inst);

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
