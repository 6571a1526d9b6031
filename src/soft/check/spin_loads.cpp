// SPDX-License-Identifier: MIT
#include "soft/check/spin_loads.h"

#include <algorithm>

#include "soft/exec/workgroup.h"

namespace hipwright::soft {

namespace {

bool touches_memory(const Inst& inst) {
  return (inst.flags & (kLoad | kStore | kAtomic)) != 0;
}

bool overlap(const Operand& a, const Operand& b) {
  if (a.kind != b.kind || (!a.is_vector() && !a.is_scalar())) return false;
  return a.index < b.index + std::max<unsigned>(b.dwords, 1) &&
         b.index < a.index + std::max<unsigned>(a.dwords, 1);
}

// The instruction changes where the load reads.
bool moves(const Inst& inst, const Inst& load) {
  return std::ranges::any_of(inst.dst, [&](const Operand& dst) {
    return std::ranges::any_of(load.src, [&](const Operand& src) { return overlap(dst, src); });
  });
}

// The branch behind `load` that goes back to it or before it; nullptr: something comes first that
// is more than waiting.
const Inst* back_branch(const Inst& load) {
  constexpr int kFarthest = 32;
  const Inst* inst = &load + 1;
  for (int i = 0; i < kFarthest && inst->op; ++i, ++inst) {
    if (touches_memory(*inst) || (inst->flags & kArrives)) return nullptr;
    if (inst->target && inst->target <= &load) return inst;
  }
  return nullptr;
}

bool spins(const Inst& load) {
  if ((load.flags & (kLoad | kStore | kAtomic)) != kLoad) return false;
  const Inst* const end = back_branch(load);
  if (!end) return false;
  constexpr std::ptrdiff_t kLongest = 48;
  if (end - end->target > kLongest) return false;
  for (const Inst* inst = end->target; inst <= end; ++inst) {
    if (inst != &load && (touches_memory(*inst) || (inst->flags & kArrives))) return false;
    if (moves(*inst, load)) return false;
  }
  return true;
}

// The scalar base of an address; kNull without one.
unsigned scalar_base(const Inst& inst) {
  for (const Operand& source : inst.src)
    if (source.is_scalar()) return source.index;
  return kNull;
}

bool same_place(const Inst& swap, const Inst& load) {
  return swap.memory.offset == load.memory.offset && scalar_base(swap) == scalar_base(load);
}

// What the load reads is what the swap expects.
bool expects(const Inst& swap, const Inst& load) {
  return swap.op->kind == load.op->kind &&
         std::ranges::any_of(swap.src, [&](const Operand& source) {
           return source.is_vector() && overlap(source, load.dst[0]);
         });
}

bool leads_to_swap(const Inst& load) {
  constexpr int kFarthest = 64;
  const Inst* inst = &load + 1;
  for (int i = 0; i < kFarthest && inst->op && inst->op->kind != OpClass::kMessage; ++i, ++inst) {
    if ((inst->flags & kCompareSwap) && (same_place(*inst, load) || expects(*inst, load)))
      return true;
  }
  return false;
}

}  // namespace

bool SpinLoads::waits_for_change(const Inst& load) {
  const auto [known, is_new] = waits_.try_emplace(&load, false);
  if (is_new) known->second = spins(load);
  return known->second;
}

bool SpinLoads::begins_compare_and_swap(const Inst& load) {
  const auto [known, is_new] = swaps_.try_emplace(&load, false);
  if (is_new) known->second = leads_to_swap(load);
  return known->second;
}

}  // namespace hipwright::soft
