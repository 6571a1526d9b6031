// SPDX-License-Identifier: MIT
// The program that a wave runs, as instructions and checks see it. decode/ has the one that reads
// machine code.
#pragma once

#include <cstdint>
#include <string>

#include "soft/exec/inst.h"

namespace hipwright::soft {

class CodeSource {
 public:
  virtual ~CodeSource() = default;
  // The instruction at `address`; nullptr: not code, or in the middle of an instruction.
  virtual const Inst* at(std::uint64_t address) = 0;
  // "v_add_f32_e32 v0, v1, v2", for messages.
  virtual std::string text(const Inst& inst) const = 0;
};

}  // namespace hipwright::soft
