// SPDX-License-Identifier: MIT
#include "soft/exec/barrier.h"

#include "soft/exec/watch.h"

namespace hipwright::soft {

namespace {

// Wave::barriers_complete, as the hardware keeps them: one bit for the group's barrier, one for
// the named barrier that the wave has joined.
constexpr std::uint8_t kGroupBit = 1;
constexpr std::uint8_t kNamedBit = 2;

bool is_named(int barrier) {
  return barrier >= 1 && barrier <= 16;
}

Barrier* find(Workgroup& group, int barrier) {
  if (barrier == kGroupBarrier) return &group.barrier;
  return is_named(barrier) ? &group.named[static_cast<unsigned>(barrier)] : nullptr;
}

// Ends the round when all members have arrived.
void check_complete(Wave& last, int number, Barrier& barrier) {
  if (barrier.arrived == 0 || barrier.arrived < barrier.members) return;
  barrier.arrived = 0;
  ++barrier.phase;
  const std::uint8_t bit = number == kGroupBarrier ? kGroupBit : kNamedBit;
  for (Wave& wave : last.group->waves) {
    if (wave.state == WaveState::kEnded) continue;
    if (bit == kNamedBit && wave.named_barrier != number) continue;
    if (wave.state == WaveState::kAtBarrier && wave.waits_for == bit)
      wave.state = WaveState::kReady;
    else
      wave.barriers_complete |= bit;
  }
  if (last.watch) last.watch->barrier(*last.group);
}

void remove_member(Wave& wave, int number) {
  Barrier& barrier = *find(*wave.group, number);
  if (barrier.members != 0) --barrier.members;
  check_complete(wave, number, barrier);
}

}  // namespace

void start_barriers(Workgroup& group) {
  group.barrier = {};
  for (const Wave& wave : group.waves)
    if (wave.state != WaveState::kEnded) ++group.barrier.members;
  group.named = {};
}

bool signal_barrier(Wave& wave, int number) {
  Barrier* barrier = find(*wave.group, number);
  if (!barrier) return false;
  const bool first = barrier->arrived++ == 0;
  check_complete(wave, number, *barrier);
  return first;
}

void wait_barrier(Wave& wave, int number) {
  if (number == kTrapBarrier || number == kNullBarrier) return;
  // A workgroup of one wave has no barrier to wait at.
  if (number == kGroupBarrier && wave.group->waves.size() == 1) return;
  const std::uint8_t bit = number == kGroupBarrier ? kGroupBit : kNamedBit;
  if (wave.barriers_complete & bit) {
    wave.barriers_complete = static_cast<std::uint8_t>(wave.barriers_complete & ~bit);
    return;
  }
  wave.waits_for = bit;
  wave.state = WaveState::kAtBarrier;
}

void init_barrier(Wave& wave, int number, unsigned members) {
  if (!is_named(number)) return;
  Barrier& barrier = *find(*wave.group, number);
  if (members != 0) barrier.members = members;
  barrier.arrived = 0;
}

void join_barrier(Wave& wave, int number) {
  wave.named_barrier = static_cast<std::uint8_t>(is_named(number) ? number : 0);
  wave.barriers_complete = static_cast<std::uint8_t>(wave.barriers_complete & ~kNamedBit);
}

bool leave_barrier(Wave& wave) {
  const int number = wave.named_barrier;
  if (number == 0) return false;
  wave.named_barrier = 0;
  remove_member(wave, number);
  return true;
}

std::uint32_t barrier_state(const Wave& wave, int number) {
  const Barrier* barrier = find(*wave.group, number);
  if (!barrier) return 0;
  return (barrier->arrived & 0x7fU) << 16 | (barrier->members & 0x7fU) << 4 |
         (barrier->members != 0 ? 1U : 0U);
}

void end_wave(Wave& wave) {
  wave.state = WaveState::kEnded;
  if (!wave.group) return;
  leave_barrier(wave);
  remove_member(wave, kGroupBarrier);
}

}  // namespace hipwright::soft
