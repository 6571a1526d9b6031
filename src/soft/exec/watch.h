// SPDX-License-Identifier: MIT
// What checks and reports see of a running kernel. The interpreter calls it only when one is
// attached: a run without checks costs one test per instruction.
#pragma once

#include <cstdint>

#include "soft/exec/access.h"
#include "soft/exec/wave.h"
#include "soft/exec/workgroup.h"

namespace hipwright::soft {

class Watch {
 public:
  virtual ~Watch() = default;

  virtual void begin(Workgroup& group) = 0;  // registers are set up, nothing has run
  virtual void end(Workgroup& group) = 0;
  // Around every instruction: the wave's state is that before, then that after it.
  virtual void before(Wave& wave, const Inst& inst) = 0;
  virtual void after(Wave& wave, const Inst& inst) = 0;
  // All valid lanes of an access, before it is done.
  virtual void access(Wave& wave, const Inst& inst, const Access& access) = 0;
  // Lanes outside memory. True: skip them and continue; false: fault the wave.
  virtual bool bad_address(Wave& wave, const Inst& inst, const Access& access,
                           std::uint64_t lanes) = 0;
  // All waves of the group have met at a barrier.
  virtual void barrier(Workgroup& group) = 0;
  // Waves ended or wait elsewhere while others wait at a barrier: `waiting` can never continue.
  virtual void stuck(Workgroup& group, const Wave& waiting) = 0;
};

}  // namespace hipwright::soft
