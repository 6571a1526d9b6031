// SPDX-License-Identifier: MIT
// Everything that an instruction means is in its handler.
#include "soft/exec/interpreter.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "soft/exec/watch.h"
#include "soft/exec/workgroup.h"

namespace hipwright::soft {

namespace {

// What both loops do around a handler. They test the state after every instruction: any handler may
// find an operand that it does not support.
[[gnu::always_inline]] inline void step(Wave& wave, const Inst& inst) {
  wave.next = &inst + 1;
  ++wave.steps;
  inst.run(wave, inst);
  if (inst.flags & kWritesExec) wave.exec_from_scalars();
}

// False: the wave stops here.
[[gnu::always_inline]] inline bool goes_on(Wave& wave, const Inst& inst) {
  if (wave.state == WaveState::kReady) [[likely]]
    return true;
  if (wave.state == WaveState::kFault && !wave.fault.inst) wave.fault.inst = &inst;
  return false;
}

void run_plain(Wave& wave, std::uint64_t end) {
  while (wave.steps != end) {
    const Inst& inst = *wave.next;
    step(wave, inst);
    if (!goes_on(wave, inst)) return;
  }
}

void run_watched(Wave& wave, std::uint64_t end) {
  Watch& watch = *wave.watch;
  while (wave.steps != end) {
    const Inst& inst = *wave.next;
    // Links between decoded functions are not instructions of the program.
    const bool seen = inst.op != nullptr;
    if (seen) watch.before(wave, inst);
    step(wave, inst);
    if (seen) watch.after(wave, inst);
    if (!goes_on(wave, inst)) return;
  }
}

// What VSKIP skips and M0 may index: all that the vector unit runs.
bool is_vector_unit(const Op& op) {
  switch (op.kind) {
    case OpClass::kVector:
    case OpClass::kTranscendental:
    case OpClass::kMatrix:
      return true;
    case OpClass::kCrossLane:
      return op.counts == Counts::kByClass;  // else it is the LDS unit's
    default:
      return false;
  }
}
bool is_skipped(const Inst& inst) {
  return inst.op && inst.op->kind >= OpClass::kVector;
}

// Moves the operand within its register file. False: to a register that does not exist.
bool move(Operand& operand, unsigned offset) {
  if (!operand.is_vector()) return true;
  const unsigned end = operand.index < kAccumulator0 ? kAccumulator0 : kSpareRow;
  operand.index = static_cast<std::uint16_t>(operand.index + offset);
  return operand.index + std::max<unsigned>(operand.dwords, 1) <= end;
}

// `inst` with the registers that M0 selects. Bits 12 to 15 of M0 say which operands, bits 0 to 7
// how far. False: a register that does not exist.
bool indexed(const Wave& wave, Inst& inst) {
  const std::uint32_t m0 = wave.scalars[kM0];
  const unsigned offset = m0 & 0xffU;
  const auto move_if = [&](Operand& operand, unsigned bit) {
    return !(m0 >> (12 + bit) & 1U) || move(operand, offset);
  };
  bool good = move_if(inst.dst[0], 3);
  const bool accumulates = (inst.op->flags & kReadsDst) != 0;
  unsigned last = 0;
  for (unsigned i = 0; i < inst.src.size(); ++i)
    if (inst.src[i]) last = i;
  for (unsigned i = 0; i < 4; ++i)
    good = move_if(inst.src[i], accumulates && i == last ? 3 : i) && good;
  return good;
}

// The wave's vector instructions are skipped or have their registers indexed.
void run_with_vector_modes(Wave& wave, std::uint64_t end) {
  while (wave.steps != end && wave.has_vector_mode()) {
    const Inst& inst = *wave.next;
    if (wave.skips_vectors && is_skipped(inst)) {
      wave.next = &inst + 1;
      ++wave.steps;
      continue;
    }
    const bool seen = wave.watch && inst.op != nullptr;
    Inst moved = inst;
    if (wave.indexes_registers && inst.op && is_vector_unit(*inst.op) && !indexed(wave, moved)) {
      wave.unsupported(inst, "M0 indexes a vector register that does not exist");
      return;
    }
    if (seen) wave.watch->before(wave, moved);
    step(wave, moved);
    if (wave.next == &moved || wave.next == &moved + 1) wave.next = &inst + (wave.next - &moved);
    if (seen) wave.watch->after(wave, moved);
    if (wave.fault.inst == &moved) wave.fault.inst = &inst;
    if (!goes_on(wave, inst)) return;
  }
}

constexpr std::uint64_t kShortTurn = 256;

std::uint64_t step_limit(const Wave& wave) {
  return wave.group && wave.group->launch ? wave.group->launch->steps_per_wave : 0;
}

}  // namespace

void Wave::stop(Fault why) {
  fault = std::move(why);
  state = WaveState::kFault;
}

void Wave::unsupported(const Inst& inst, std::string what) {
  stop({.kind = Fault::Kind::kUnsupported, .inst = &inst, .what = std::move(what)});
}

void run_wave(Wave& wave, std::uint64_t quantum) {
  if (wave.state == WaveState::kSleeping) wave.state = WaveState::kReady;
  if (wave.state != WaveState::kReady) return;
  const std::uint64_t limit = step_limit(wave);
  // Turns are short: the usual case comes first.
  if (limit == 0 && !wave.watch && !wave.has_vector_mode() && quantum <= kShortTurn) [[likely]] {
    run_plain(wave, wave.steps + quantum);
    // Paused to go on in the other loop: that is for its next turn.
    if (wave.has_vector_mode() && wave.state == WaveState::kSleeping)
      wave.state = WaveState::kReady;
    return;
  }
  constexpr std::uint64_t kEndless = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t wanted = quantum > kEndless - wave.steps ? kEndless : wave.steps + quantum;
  const std::uint64_t end = limit == 0 ? wanted : std::min(wanted, std::max(limit, wave.steps));

  for (;;) {
    const bool special = wave.has_vector_mode();
    if (special)
      run_with_vector_modes(wave, end);
    else if (wave.watch)
      run_watched(wave, end);
    else
      run_plain(wave, end);
    // A handler that changes the mode pauses the wave to request another loop.
    if (wave.has_vector_mode() == special) break;
    if (wave.state == WaveState::kSleeping) wave.state = WaveState::kReady;
    if (wave.state != WaveState::kReady || wave.steps == end) break;
  }
  if (wave.state == WaveState::kReady && limit != 0 && wave.steps >= limit)
    wave.stop({.kind = Fault::Kind::kStepLimit,
               .inst = wave.next,
               .what = "the wave ran " + std::to_string(limit) + " instructions without ending"});
}

}  // namespace hipwright::soft
