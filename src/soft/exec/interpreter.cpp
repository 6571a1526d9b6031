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

bool is_indexable(const Inst& inst) {
  if (!inst.op) return false;
  const OpClass kind = inst.op->kind;
  return kind == OpClass::kVector || kind == OpClass::kTranscendental;
}

// `inst` with the registers that M0 selects (gfx9, between s_set_gpr_idx_on and _off). Bits 12 to
// 15 of M0 say which operands, bits 0 to 7 how far. False: a register that does not exist.
bool indexed(const Wave& wave, Inst& inst) {
  const std::uint32_t m0 = wave.scalars[kM0];
  const unsigned offset = m0 & 0xffU;
  const auto move = [&](Operand& operand, unsigned bit) {
    if (!operand.is_vector() || operand.index >= kAccumulator0 || !((m0 >> (12 + bit)) & 1U))
      return true;
    operand.index = static_cast<std::uint16_t>(operand.index + offset);
    return operand.index + std::max<unsigned>(operand.dwords, 1) <= kAccumulator0;
  };
  bool good = move(inst.dst[0], 3);
  const bool accumulates = (inst.op->flags & kReadsDst) != 0;
  unsigned last = 0;
  for (unsigned i = 0; i < inst.src.size(); ++i)
    if (inst.src[i]) last = i;
  for (unsigned i = 0; i < 4; ++i)
    good = move(inst.src[i], accumulates && i == last ? 3 : i) && good;
  return good;
}

// While vector registers are indexed by M0: until s_set_gpr_idx_off.
void run_indexed(Wave& wave, std::uint64_t end) {
  while (wave.steps != end && wave.gpr_index_mode != 0) {
    const Inst& inst = *wave.next;
    const bool seen = wave.watch && inst.op != nullptr;
    Inst moved = inst;
    if (is_indexable(inst) && !indexed(wave, moved)) {
      wave.unsupported(inst, "M0 indexes a vector register above v255");
      return;
    }
    if (seen) wave.watch->before(wave, moved);
    step(wave, moved);
    if (wave.next == &moved + 1) wave.next = &inst + 1;
    if (seen) wave.watch->after(wave, moved);
    if (wave.fault.inst == &moved) wave.fault.inst = &inst;
    if (!goes_on(wave, inst)) return;
  }
}

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
  constexpr std::uint64_t kEndless = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t limit = step_limit(wave);
  const std::uint64_t wanted = quantum > kEndless - wave.steps ? kEndless : wave.steps + quantum;
  const std::uint64_t end = limit == 0 ? wanted : std::min(wanted, std::max(limit, wave.steps));

  for (;;) {
    const std::uint8_t mode = wave.gpr_index_mode;
    if (mode != 0)
      run_indexed(wave, end);
    else if (wave.watch)
      run_watched(wave, end);
    else
      run_plain(wave, end);
    // s_set_gpr_idx_on and _off pause the wave to request another loop.
    if (wave.gpr_index_mode == mode) break;
    if (wave.state == WaveState::kSleeping) wave.state = WaveState::kReady;
    if (wave.state != WaveState::kReady || wave.steps == end) break;
  }
  if (wave.state == WaveState::kReady && limit != 0 && wave.steps >= limit)
    wave.stop({.kind = Fault::Kind::kStepLimit,
               .inst = wave.next,
               .what = "the wave ran " + std::to_string(limit) + " instructions without ending"});
}

}  // namespace hipwright::soft
