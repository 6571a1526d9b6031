// SPDX-License-Identifier: MIT
// Registers that a memory operation in flight will write. Here loads finish at once; on hardware a
// register is valid only after the s_waitcnt that covers its load.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "soft/check/findings.h"
#include "soft/exec/workgroup.h"

namespace hipwright::soft {

// Targets have fewer: gfx9 counts stores with loads (vmcnt), gfx9 and gfx11 count scalar memory
// with LDS (lgkmcnt).
enum class Counter : std::uint8_t { kLoad, kStore, kLds, kScalar, kSample };
constexpr unsigned kCounters = 5;

// What a wait instruction waits for: the largest allowed value of each counter.
using WaitFor = std::array<std::optional<unsigned>, kCounters>;
WaitFor wait_of(Waits waits, std::uint16_t simm16, Isa isa);

// Which counters an instruction adds to.
struct CountedBy {
  std::optional<Counter> first, second;  // FLAT has two
  bool unordered = false;                // complete only after a wait for 0
};
CountedBy counted_by(const Inst& inst, Isa isa);

// One workgroup.
class WaitCheck {
 public:
  explicit WaitCheck(Findings& findings) : findings_(findings) {}
  void begin(const Workgroup& group);
  void before(Wave& wave, const Inst& inst);

 private:
  struct Pending {
    std::uint64_t address = 0;  // of the instruction
    Operand to;
    std::array<std::uint64_t, kCounters> number{};  // 0: does not wait for this counter
  };
  struct State {
    std::vector<Pending> pending;
    std::array<std::uint64_t, kCounters> issued{};
    std::array<std::uint64_t, kCounters> last_unordered{};
    std::array<std::uint16_t, kVectorRows> vector{};  // how many pending operations write it
    std::array<std::uint16_t, kScalarCount> scalar{};
  };
  void wait(State& state, const WaitFor& wanted);
  void use(State& state, Wave& wave, const Inst& inst, const Operand& operand,
           const CountedBy* write);
  void drop(State& state, std::size_t index);

  Findings& findings_;
  std::vector<State> waves_;
};

}  // namespace hipwright::soft
