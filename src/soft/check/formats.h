// SPDX-License-Identifier: MIT
// 8-bit floats in the format of another target. The bits do not say which format they are in:
// gfx942 reads them as "fnuz", gfx950 and gfx12 as OCP. Detectable are:
// - a byte that is not a number here but is one in the other format, though no conversion on the
//   device made such a byte: OCP's -0 is fnuz's NaN, ±240 of fnuz is OCP's NaN;
// - a float that the other format can hold becomes NaN in this one: 448 is for OCP.
#pragma once

#include <atomic>
#include <cstdint>

#include "soft/check/findings.h"
#include "soft/check/shadow.h"

namespace hipwright::soft {

// Whether conversions on the device have made NaN or infinity. From then on such bytes may come
// from anywhere and prove nothing. Shared by all launches of a run.
struct MadeSpecials {
  std::atomic<bool> fp8{false}, bf8{false};
};

class FormatCheck {
 public:
  FormatCheck(Findings& findings, MadeSpecials& made) : findings_(findings), made_(made) {}
  void before(const Wave& wave, const Inst& inst);

 private:
  void decode(const Wave& wave, const Inst& inst, const Fp8Use& use);
  void encode(const Wave& wave, const Inst& inst, const Fp8Use& use);
  void multiply(const Wave& wave, const Inst& inst, const Fp8Use& use);
  void special_read(const Wave& wave, const Inst& inst, bool bf8, unsigned lane,
                    std::uint32_t code);
  void report(const Wave& wave, const Inst& inst, unsigned lane, std::string what);

  Findings& findings_;
  MadeSpecials& made_;
};

}  // namespace hipwright::soft
