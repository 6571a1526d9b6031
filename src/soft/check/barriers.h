// SPDX-License-Identifier: MIT
// Barriers that part of a workgroup skips. Hardware counts waves: inactive lanes count with their
// wave, and ended waves do not count at all, so wrong programs often seem to work.
#pragma once

#include <cstdint>
#include <vector>

#include "soft/check/findings.h"
#include "soft/exec/access.h"
#include "soft/exec/workgroup.h"

namespace hipwright::soft {

// One workgroup.
class BarrierCheck {
 public:
  explicit BarrierCheck(Findings& findings) : findings_(findings) {}
  void begin(const Workgroup& group);
  void before(Wave& wave, const Inst& inst);
  void access(const Wave& wave, const Access& access);
  void met(Workgroup& group);
  void stuck(Workgroup& group, const Wave& waiting);
  void end(Workgroup& group);

 private:
  struct State {
    std::uint64_t lanes = 0;              // that the wave started with
    std::uint64_t skipped = 0;            // lanes that were off at the last barrier
    std::vector<std::uint64_t> barriers;  // addresses, in order
    bool wrote = false, shared = false;   // since the last one: to memory, to shared memory
  };
  void ran_on(const Wave& wave);
  void report(const Wave& wave, FindingKind kind, std::uint64_t address, std::uint64_t lanes,
              std::string what);

  Findings& findings_;
  std::vector<State> waves_;
};

}  // namespace hipwright::soft
