// SPDX-License-Identifier: MIT
#include "soft/check/waits.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "soft/check/source_lanes.h"

namespace hipwright::soft {

namespace {

using u64 = std::uint64_t;

constexpr unsigned at(Counter counter) {
  return static_cast<unsigned>(counter);
}

std::string_view counter_name(Counter counter, Isa isa) {
  const bool gfx12 = isa == Isa::kGfx12;
  switch (counter) {
    case Counter::kLoad:
      return gfx12 ? "loadcnt" : "vmcnt";
    case Counter::kStore:
      return gfx12 ? "storecnt" : "vscnt";
    case Counter::kLds:
      return gfx12 ? "dscnt" : "lgkmcnt";
    case Counter::kSample:
      return "samplecnt";
    case Counter::kScalar:
      break;
  }
  return "kmcnt";
}

bool overlap(const Operand& a, const Operand& b) {
  return a.kind == b.kind && a.index < b.index + std::max<unsigned>(b.dwords, 1) &&
         b.index < a.index + std::max<unsigned>(a.dwords, 1);
}

template <class State, class F>
void for_each_register(State& state, const Operand& operand, F visit) {
  for (unsigned i = 0; i < std::max<unsigned>(operand.dwords, 1); ++i) {
    const unsigned index = operand.index + i;
    if (operand.is_vector() && index < kVectorRows) visit(state.vector[index]);
    if (operand.is_scalar() && index < kScalarCount) visit(state.scalar[index]);
  }
}

}  // namespace

WaitFor wait_of(Waits waits, std::uint16_t simm16, Isa isa) {
  WaitFor wait;
  const unsigned imm = simm16;
  const unsigned high = (imm >> 8) & 0x3fU, low = imm & 0x3fU;
  switch (waits) {
    case Waits::kPacked:
      wait[at(Counter::kLoad)] = isa < Isa::kGfx11 ? (imm & 0xfU) | ((imm >> 14) << 4) : imm >> 10;
      wait[at(Counter::kLds)] = is_gfx9(isa)         ? (imm >> 8) & 0xfU
                                : isa == Isa::kGfx10 ? (imm >> 8) & 0x3fU
                                                     : (imm >> 4) & 0x3fU;
      break;
    case Waits::kLoad:
      wait[at(Counter::kLoad)] = imm;
      break;
    case Waits::kStore:
      wait[at(Counter::kStore)] = imm;
      break;
    case Waits::kLds:
      wait[at(Counter::kLds)] = imm;
      break;
    case Waits::kScalar:
      wait[at(Counter::kScalar)] = imm;
      break;
    case Waits::kSample:
      wait[at(Counter::kSample)] = imm;
      break;
    case Waits::kLoadLds:
      wait[at(Counter::kLoad)] = high;
      wait[at(Counter::kLds)] = low;
      break;
    case Waits::kStoreLds:
      wait[at(Counter::kStore)] = high;
      wait[at(Counter::kLds)] = low;
      break;
    case Waits::kAll:
      wait.fill(0);
      break;
    case Waits::kUntracked:
    case Waits::kNone:
      break;
  }
  return wait;
}

CountedBy counted_by(const Inst& inst, Isa isa) {
  const bool gfx9 = is_gfx9(isa);
  const Counter store = gfx9 ? Counter::kLoad : Counter::kStore;
  const CountedBy scalar{.first = isa == Isa::kGfx12 ? Counter::kScalar : Counter::kLds,
                         .unordered = true};
  switch (inst.op->counts) {
    case Counts::kScalar:
      return scalar;
    case Counts::kLds:
      return {.first = Counter::kLds};
    case Counts::kLoad:
      return {.first = Counter::kLoad};
    case Counts::kStore:
      return {.first = store};
    case Counts::kSample:
      return {.first = isa == Isa::kGfx12 ? Counter::kSample : Counter::kLoad};
    case Counts::kByClass:
      break;
  }
  // Atomics that return nothing count as stores.
  const bool stores =
      (inst.op->flags & kStore) && !inst.dst[0] && !inst.memory.lds && !(inst.flags & kDataInLds);
  switch (inst.op->kind) {
    case OpClass::kScalarMemory:
      return scalar;
    case OpClass::kLds:
      return {.first = Counter::kLds};
    case OpClass::kGlobal:
    case OpClass::kScratch:
    case OpClass::kBuffer:
    case OpClass::kImage:
      return {.first = stores ? store : Counter::kLoad};
    case OpClass::kFlat:
      return {.first = stores ? store : Counter::kLoad, .second = Counter::kLds, .unordered = gfx9};
    default:
      return {};
  }
}

void WaitCheck::begin(const Workgroup& group) {
  waves_.assign(group.waves.size(), {});
}

void WaitCheck::drop(State& state, std::size_t index) {
  for_each_register(state, state.pending[index].to, [](std::uint16_t& count) { --count; });
  state.pending.erase(state.pending.begin() + static_cast<std::ptrdiff_t>(index));
}

void WaitCheck::wait(State& state, const WaitFor& wanted) {
  for (unsigned c = 0; c < kCounters; ++c) {
    if (!wanted[c]) continue;
    const unsigned most = *wanted[c];
    if (state.issued[c] <= most) continue;
    const u64 done = state.issued[c] - most;
    if (most != 0 && state.last_unordered[c] != 0) continue;
    for (std::size_t i = state.pending.size(); i-- > 0;) {
      Pending& each = state.pending[i];
      if (each.number[c] == 0 || each.number[c] > done) continue;
      each.number[c] = 0;
      if (std::ranges::all_of(each.number, [](u64 number) { return number == 0; })) drop(state, i);
    }
    if (most == 0) state.last_unordered[c] = 0;
  }
}

void WaitCheck::use(State& state, Wave& wave, const Inst& inst, const Operand& operand,
                    const CountedBy* write) {
  if (!operand.is_vector() && !operand.is_scalar()) return;
  bool busy = false;
  for_each_register(state, operand, [&](std::uint16_t count) { busy |= count != 0; });
  if (!busy) return;
  for (std::size_t i = state.pending.size(); i-- > 0;) {
    const Pending each = state.pending[i];
    if (!overlap(each.to, operand)) continue;
    // Loads of one counter that come in order may follow each other into the same register.
    if (write && write->first && !write->unordered && !write->second &&
        each.number[at(*write->first)] != 0 && state.last_unordered[at(*write->first)] == 0)
      continue;
    drop(state, i);
    if (!findings_.is_new(FindingKind::kMissingWait, inst.address)) continue;
    std::string counters;
    for (unsigned c = 0; c < kCounters; ++c)
      if (each.number[c] != 0)
        counters += (counters.empty() ? "" : " and ") +
                    std::string(counter_name(static_cast<Counter>(c), wave.isa));
    CheckFinding finding;
    finding.kind = FindingKind::kMissingWait;
    finding.kernel = kernel_of(wave);
    finding.place = place_of(wave, inst);
    finding.actor = actor_of(wave);
    const unsigned index = std::max(each.to.index, operand.index);
    finding.what =
        fmt::format("{} is {} while a memory operation that writes it is in flight: no wait for {}",
                    operand.is_vector() ? vector_name(index) : scalar_name(index),
                    write ? "overwritten" : "read", counters);
    finding.other_role = "the operation in flight";
    finding.other = place_at(wave, each.address);
    findings_.add(std::move(finding));
  }
}

void WaitCheck::before(Wave& wave, const Inst& inst) {
  State& state = waves_[wave.id];
  if (inst.op->waits != Waits::kNone)
    return wait(state, wait_of(inst.op->waits, inst.simm16, wave.isa));
  const CountedBy counted = counted_by(inst, wave.isa);
  const bool memory = counted.first.has_value();
  if (state.pending.empty() && !memory) return;

  for (const Operand& operand : inst.src) use(state, wave, inst, operand, nullptr);
  for (const Operand& operand : inst.dst)
    if (operand) use(state, wave, inst, operand, &counted);
  if (!memory) return;

  Pending pending{.address = inst.address, .to = inst.dst[0], .number = {}};
  for (const auto& counter : {counted.first, counted.second}) {
    if (!counter) continue;
    const unsigned c = at(*counter);
    pending.number[c] = ++state.issued[c];
    if (counted.unordered) state.last_unordered[c] = state.issued[c];
  }
  if (!inst.dst[0].is_vector() && !inst.dst[0].is_scalar()) return;
  for_each_register(state, inst.dst[0], [](std::uint16_t& count) { ++count; });
  state.pending.push_back(pending);
}

}  // namespace hipwright::soft
