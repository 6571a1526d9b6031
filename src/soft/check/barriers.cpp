// SPDX-License-Identifier: MIT
#include "soft/check/barriers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace hipwright::soft {

namespace {

constexpr std::size_t kRemembered = 4096;

}  // namespace

void BarrierCheck::begin(const Workgroup& group) {
  waves_.assign(group.waves.size(), {});
  for (const Wave& wave : group.waves) waves_[wave.id].lanes = wave.exec;
}

void BarrierCheck::report(const Wave& wave, FindingKind kind, std::uint64_t address,
                          std::uint64_t lanes, std::string what) {
  if (!findings_.is_new(kind, address)) return;
  CheckFinding finding;
  finding.kind = kind;
  finding.kernel = kernel_of(wave);
  finding.place = place_at(wave, address);
  finding.actor = actor_of(wave);
  if (lanes != 0) finding.actor.lane = static_cast<unsigned>(std::countr_zero(lanes));
  finding.what = std::move(what);
  findings_.add(std::move(finding));
}

// A lane that is inactive at a barrier and continues later has skipped it; one that never runs
// again has returned from the kernel.
void BarrierCheck::ran_on(const Wave& wave) {
  State& state = waves_[wave.id];
  if ((state.skipped & wave.exec) == 0) return;
  report(wave, FindingKind::kBarrierDivergence, state.barriers.back(), state.skipped & wave.exec,
         fmt::format("{} of the wave's {} lanes were inactive here and continued afterwards",
                     std::popcount(state.skipped), std::popcount(state.lanes)));
  state.skipped = 0;
}

void BarrierCheck::before(Wave& wave, const Inst& inst) {
  if (!(inst.flags & kArrives)) return;
  ran_on(wave);
  State& state = waves_[wave.id];
  state.skipped = state.lanes & ~wave.exec;
  if (state.barriers.size() < kRemembered) state.barriers.push_back(inst.address);
  state.wrote = state.shared = false;
}

// To continue is to do something that others can see. Private memory and registers do not count:
// compilers restore them where returned lanes meet the rest again.
void BarrierCheck::access(const Wave& wave, const Access& access) {
  if (access.space == Space::kScratch || access.kind == AccessKind::kLoad) return;
  ran_on(wave);
  waves_[wave.id].wrote = true;
  waves_[wave.id].shared |= access.space == Space::kLds;
}

void BarrierCheck::met(Workgroup& group) {
  const Wave* first = nullptr;
  for (const Wave& wave : group.waves) {
    if (wave.state == WaveState::kEnded || waves_[wave.id].barriers.empty() ||
        waves_[wave.id].barriers.size() >= kRemembered)
      continue;
    if (!first) {
      first = &wave;
      continue;
    }
    const std::uint64_t here = waves_[wave.id].barriers.back();
    const std::uint64_t there = waves_[first->id].barriers.back();
    if (here == there || !findings_.is_new(FindingKind::kBarrierMismatch, here)) continue;
    CheckFinding finding;
    finding.kind = FindingKind::kBarrierMismatch;
    finding.kernel = kernel_of(wave);
    finding.place = place_at(wave, here);
    finding.actor = actor_of(wave);
    finding.what = fmt::format("wave {} waits at a different barrier", first->id);
    finding.other_role = "the other barrier";
    finding.other = place_at(*first, there);
    finding.other_actor = actor_of(*first);
    findings_.add(std::move(finding));
  }
}

void BarrierCheck::stuck(Workgroup&, const Wave& waiting) {
  const State& state = waves_[waiting.id];
  report(waiting, FindingKind::kBarrierStuck, state.barriers.empty() ? 0 : state.barriers.back(), 0,
         "the wave waits here, but no other wave will arrive");
}

// Hardware does not wait for waves that have ended: to return early is right. What a wave leaves in
// shared memory, though, is for others to read after a barrier: who then ends has skipped it. After
// other effects, machine code does not tell the two apart: a warning.
void BarrierCheck::end(Workgroup& group) {
  const auto most = std::ranges::max_element(
      waves_, {}, [](const State& state) { return state.barriers.size(); });
  if (most == waves_.end()) return;
  for (const Wave& wave : group.waves) {
    const State& state = waves_[wave.id];
    const std::size_t count = state.barriers.size();
    if (state.lanes == 0 || !state.wrote || count >= most->barriers.size()) continue;
    report(wave, state.shared ? FindingKind::kBarrierDivergence : FindingKind::kBarrierMissed,
           most->barriers[count], 0,
           fmt::format("wave {} ended without reaching this barrier, unlike wave {}{}", wave.id,
                       most - waves_.begin(),
                       state.shared ? ", after writing to shared memory"
                                    : "; hardware goes on without it"));
  }
}

}  // namespace hipwright::soft
